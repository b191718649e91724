// TelltaleClient
