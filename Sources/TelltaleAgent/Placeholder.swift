// TelltaleAgent
