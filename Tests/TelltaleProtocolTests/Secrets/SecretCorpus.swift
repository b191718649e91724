/// Names that are secrets and names that are not: what the tests try `SecretNames` on, and what the
/// documentation says.
///
/// A name that was found to be judged wrongly is added here, and then `SecretWords` is mended.
enum SecretCorpus {
    /// The names that Docs/Secrets.md gives as examples.
    static let examples = [
        "password", "passwd", "pass", "secret", "token", "apiKey", "key", "authorization",
        "cookie", "credentials", "sessionID", "jwt", "otp", "pin", "cvv", "privateKey",
        "connectionString",
    ]

    /// Names that only look like those of secrets, as Docs/Secrets.md gives them.
    static let harmlessExamples = [
        "tokenCount", "keyPath", "primaryKey", "keyboard", "bypass", "passenger",
    ]

    /// Names of secrets.
    static let secrets =
        examples + [
            // Cases and separators.
            "userPassword", "PASSWORD", "Password", "db_password", "DB_PASSWORD", "db-password",
            "dbpassword", "DBPassword", "pass_word", "passWord", "password2", "password_1",
            "passwordHash", "hashedPassword", "oldPassword", "PGPASSWORD", "MYSQL_PWD", "pwd",
            "db_pwd", "userPwd", "dbPw", "pw", "passwds", "passphrase", "keyPassphrase",
            "passcode", "dbPass", "DB_PASS", "smtpPass", "userpass", "dbpass", "pass2",
            "passwort", "kennwort", "motDePasse",
            // Stores.
            "keychain", "keyChain", "loginKeychain", "user_keychain", "keychainItem",
            "keychainData",
            // Tokens, cookies, headers.
            "accessToken", "access_token", "access-token", "accesstoken", "refreshTokens",
            "apiToken", "token2", "idToken", "bearerToken", "Bearer", "Authorization",
            "Proxy-Authorization", "X-Auth-Token", "x-api-key", "X-Api-Key", "Set-Cookie",
            "cookies", "setcookie", "csrfToken", "XSRF-TOKEN", "JSESSIONID", "session_id",
            "sessionIDs", "sessionKey", "JWTs", "GITHUB_TOKEN", "oauth2Token", "tokenCache",
            "tokenStore", "tokenProvider",
            // Keys.
            "API_KEY", "api_key", "APIKey", "apikey", "APIKEY", "XAPIKEY", "apiKeys", "keyData",
            "signingKey", "signing_keys", "accessKey", "accessKeyID", "AWS_ACCESS_KEY_ID",
            "AWS_SECRET_ACCESS_KEY", "encryptionKey", "hmacKey", "aesKey", "sshKey", "rsa_key",
            "masterKey", "base64Key", "key2", "_key", "dbKey", "licenseKey",
            "storageAccountKey",
            "privateKeyPEM", "keyMaterial",
            // Secrets and credentials.
            "clientSecret", "CLIENT_SECRET", "clientsecret", "secrets", "appSecrets",
            "sharedSecret", "webhookSecret", "awsCredentials", "creds", "credential", "auth",
            "basicAuth", "authCode", "salt", "passwordSalt", "seedPhrase", "mnemonic",
            // Codes, cards, people.
            "totp", "otpSecret", "recoveryCodes", "backup_codes", "verificationCode", "mfaCode",
            "twoFactorCode", "pinCode", "userPin", "PIN", "cvv2", "CVC", "cardNumber",
            "creditCardNumber", "ssn", "userSSN", "socialSecurityNumber",
            // Whole connections.
            "connection_string", "dbDSN", "connStr",
            // Prefixes added by the compiler and the host.
            "_password", "$__lazy_storage_$_token", "pass\u{200B}word",
        ]

    /// Names that are none.
    static let harmless =
        harmlessExamples + [
            "keychainService", "keychainAccessGroup", "keychainStatus", "usesKeychainSharing",
            "monkey", "turkey", "keystroke", "keyframe", "keyword", "keyPaths", "keyCode",
            "sortKey", "foreignKey", "publicKey", "partitionKey", "cacheKey", "codingKey",
            "hotKey", "escapeKey", "tokenizer", "tokenized", "tokenLimit", "tokensTotal",
            "passwordCount", "passwordLength", "secretary", "secretariat", "passwordless",
            "compass", "trespass", "passed", "passing", "passport", "passiveMode", "firstPass",
            "renderPass", "bandPass", "pinned", "pinch", "spin", "spinner", "opinion",
            "gpioPin",
            "mapPin", "author", "authority", "authorizer", "authored", "bear", "bearing",
            "cookbook", "cookieless", "credits", "accredited", "session", "sessions",
            "sessionCount", "accessLevel", "accessCount", "privateNotes", "privateMode",
            "apiVersion", "signature", "signal", "design", "title", "name", "value", "id",
            "identifier", "count", "email", "user", "host", "code", "statusCode", "postalCode",
            "card", "cardinality", "salted", "saltwater", "otpauthEnabledUsers", "maxTokens",
            "numberOfTokens", "max_tokens", "path", "url", "", "_", "123",
        ]

    /// Names under which a number is shown, as what it counts, and anything else is masked.
    static let counts = [
        "tokens", "promptTokens", "secrets", "cookies", "tokenTTL", "tokenAge", "tokensUsed",
    ]
}
