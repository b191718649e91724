// TelltaleSystem
