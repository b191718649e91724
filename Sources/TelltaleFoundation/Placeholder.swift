// TelltaleFoundation
