/** Settings for a quiet workbench: no welcome page, chat, secondary side bar or tips. */
export const calmSettings = {
  "chat.disableAIFeatures": true,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  // By default the server starts processes every two seconds to look for open ports, which is most of its idle work.
  "remote.autoForwardPortsSource": "output",
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
} as const;
