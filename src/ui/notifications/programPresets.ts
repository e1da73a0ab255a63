import * as vscode from "vscode";

interface ProgramPreset {
  readonly label: string;
  /** The program and its arguments. */
  readonly program: readonly string[];
}

/** Programs that come with a system, by the name of the system that Node gives. Texts are arguments or variables, never code. */
export function programPresets(platform: string): readonly ProgramPreset[] {
  const notification = vscode.l10n.t("System Notification");
  const sound = vscode.l10n.t("Sound");
  switch (platform) {
    case "darwin":
      return [
        {
          label: notification,
          program: [
            "osascript",
            "-e",
            "on run argv",
            "-e",
            "display notification (item 2 of argv) with title (item 1 of argv)",
            "-e",
            "end run",
            "Bidside",
            "${text}",
          ],
        },
        { label: sound, program: ["afplay", "/System/Library/Sounds/Glass.aiff"] },
      ];
    case "win32":
      return [
        {
          label: notification,
          program: powerShell(
            "Add-Type -AssemblyName System.Windows.Forms, System.Drawing; " +
              "$icon = New-Object System.Windows.Forms.NotifyIcon; " +
              "$icon.Icon = [System.Drawing.SystemIcons]::Information; $icon.Visible = $true; " +
              "$icon.ShowBalloonTip(5000, 'Bidside', $env:BIDSIDE_TEXT, 'Info'); Start-Sleep 6; $icon.Dispose()",
          ),
        },
        {
          label: sound,
          program: powerShell("[System.Media.SystemSounds]::Exclamation.Play(); Start-Sleep 1"),
        },
      ];
    default:
      return [
        { label: notification, program: ["notify-send", "--", "Bidside", "${text}"] },
        { label: sound, program: ["paplay", "/usr/share/sounds/freedesktop/stereo/complete.oga"] },
      ];
  }
}

function powerShell(code: string): readonly string[] {
  return ["powershell", "-NoProfile", "-NonInteractive", "-Command", code];
}
