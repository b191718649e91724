// TelltaleShell
