"use strict";
const vscode = require("vscode");

exports.activate = () => vscode.commands.executeCommand("workbench.view.extension.bidside");
