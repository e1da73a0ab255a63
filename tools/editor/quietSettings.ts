/** Settings that keep a fresh workbench calm: no welcome page, no chat, no second side bar, no hints. */
export const calmSettings = {
  "chat.disableAIFeatures": true,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
} as const;
