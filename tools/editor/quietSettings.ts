/** Settings that keep a fresh workbench calm: no welcome page, no chat, no second side bar, no hints. */
export const calmSettings = {
  "chat.disableAIFeatures": true,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  // A server's editor looks for the ports of all programs every two seconds, with processes of its own: most of its idle work.
  "remote.autoForwardPortsSource": "output",
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
} as const;
