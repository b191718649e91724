#if TELLTALE_COMPILED
/// The words that make a name that of a secret, in lower case. The tests' `SecretCorpus` has the names that they
/// are tried on.
enum SecretWords {
    /// Words that mean a secret anywhere in a name; a few words together are joined: `apikey` is
    /// `apiKey`, `api_key` and `API-Key`. Each has a plural.
    static let names: Set<String> = withPlurals([
        // Credentials typed to log in.
        "password", "passwd", "passwort", "kennwort", "motdepasse", "contrasena", "contraseña",
        "senha", "wachtwoord", "pwd", "passphrase", "passcode", "passkey", "passhash", "secret",
        "credential", "cred", "mnemonic", "seedphrase", "recoveryphrase", "walletseed",
        "securityanswer", "secretanswer", "htpasswd", "keytab", "psk",
        // Credentials sent to stay logged in.
        "token", "authorization", "bearer", "cookie", "jwt", "sessionid", "sessid", "phpsessid",
        "jsessionid", "sessionkey", "csrf", "xsrf", "otp", "totp", "hotp", "basicauth",
        "httpauth", "proxyauth", "authheader", "authdata", "authcode", "authkey",
        "sharedaccesssignature",
        // Codes that are sent to a person.
        "recoverycode", "backupcode", "verificationcode", "confirmationcode", "securitycode",
        "accesscode", "resetcode", "logincode", "smscode", "mfacode", "twofactorcode",
        "pincode", "pinnumber", "onetimecode", "activationcode",
        // Keys.
        "apikey", "privatekey", "signingkey", "signkey", "accesskey", "secretkey",
        "encryptionkey", "encryptkey", "decryptionkey", "cryptkey", "cipherkey", "masterkey",
        "rootkey", "clientkey", "serverkey", "sharedkey", "hmackey", "aeskey", "rsakey",
        "sshkey", "gpgkey", "pgpkey", "tlskey", "sslkey", "deploykey", "hostkey", "storagekey",
        "accountkey", "servicekey", "webhookkey", "recoverykey", "licensekey", "productkey",
        "activationkey", "subscriptionkey", "wrappingkey", "sessionticket", "keymaterial",
        "keydata", "keybytes", "keypem", "privatepem",
        // Whole connections.
        "connectionstring", "connstring", "connstr", "dsn",
        // Cards and people.
        "cvv", "cvc", "csc", "cardnumber", "creditcard", "cardcode", "ccnumber", "ccnum", "ssn",
        "socialsecurity",
    ])

    /// The number of words of the longest name.
    static let longest = 3

    /// Secrets where a name ends with them, unless the word before says which harmless one it is.
    static let atTheEnd: [String: Set<String>] = [
        "key": [
            "primary", "sort", "foreign", "partition", "public", "cache", "lookup", "index",
            "object", "map", "dictionary", "natural", "composite", "compound", "candidate",
            "surrogate", "unique", "row", "column", "translation", "localization", "localized",
            "coding", "routing", "shard", "group", "grouping", "hot", "arrow", "function",
            "escape", "enter", "return", "shift", "control", "command", "option", "modifier",
            "tab", "delete", "space", "registry", "search", "order", "ordering", "event",
            "metric", "preference", "defaults", "item", "property", "attribute", "header",
            "field", "parameter", "json", "current", "next", "previous", "last", "first",
            "parent", "child", "entity", "record", "message", "topic", "subject", "bucket",
            "idempotency", "deduplication", "dedup", "min", "max", "left", "right", "start",
            "end", "low", "high", "lower", "upper", "begin", "any", "type", "hash", "range",
        ],
        "pass": [
            "first", "second", "third", "render", "compiler", "boarding", "season", "low",
            "high", "band", "by", "optimizer", "optimization", "single", "multi", "two",
            "depth", "shadow", "test", "did", "will", "full", "ski", "current", "next", "last",
        ],
        "pin": [
            "gpio", "map", "input", "output", "led", "clock", "data", "reset", "bowling",
            "rolling", "drawing", "push",
        ],
        "pw": [],
        "salt": [],
    ]

    /// Stores of secrets, at the end of a name: `keychainService` names a place and no secret.
    static let stores: Set<String> = [
        "keychain", "keychains", "keyring", "keyrings", "keychainitem", "keychainvalue",
        "keychaindata",
    ]

    /// Secrets only where they are the whole name.
    static let whole: Set<String> = ["auth"]

    /// Parameters of a URL that are secrets besides.
    static let inQueries: Set<String> = [
        "code", "sig", "signature", "sid", "session", "ticket", "access", "assertion", "auth",
        "key", "hmac",
    ]

    /// Inside of a longer word in one: `dbpassword`, `myapikey`.
    static let stems = [
        "password", "passwd", "passphrase", "credential", "apikey", "privatekey", "accesskey",
        "secretkey", "signingkey", "encryptionkey",
    ].map { Array($0.utf8) }
    /// At the end of a longer word in one: `accesstoken`.
    static let endings = [
        "secret", "secrets", "token", "tokens", "passcode", "pwd", "cookie", "cookies",
    ]
    /// Words written in one with `pass`, which ends too many others: `compass`, `bypass`.
    static let fused: Set<String> = [
        "dbpass", "userpass", "usrpass", "smtppass", "ftppass", "mailpass", "mysqlpass",
        "pgpass", "adminpass", "rootpass", "loginpass", "mypass", "proxypass", "ldappass",
        "redispass", "wifipass", "storepass", "keypass", "sshpass", "vncpass", "dbkey",
    ]
    /// Words that hold one of the others and are none.
    static let harmless: Set<String> = ["passwordless", "credentialless"]

    /// A name that ends so is a number of secrets and none: `tokenCount`, `tokenLimit`.
    static let amounts: Set<String> = [
        "count", "counts", "limit", "limits", "budget", "total", "totals", "length", "quota",
        "capacity",
    ]
    /// A plural after one of these is such a number too: `maxTokens`.
    static let bounds: Set<String> = ["max", "maximum", "min", "minimum", "num", "number"]
    /// Words for facts about a secret that don't reveal it: `tokenTTL`.
    static let facts: Set<String> = [
        "ttl", "lifetime", "timeout", "seconds", "minutes", "age", "expiry", "expires",
        "version", "rounds", "cost", "attempts", "retries", "failures", "bytes", "bits", "size",
        "used", "remaining", "usage", "index",
    ]

    private static func withPlurals(_ words: [String]) -> Set<String> {
        Set(words + words.map { $0 + "s" })
    }
}
#endif
