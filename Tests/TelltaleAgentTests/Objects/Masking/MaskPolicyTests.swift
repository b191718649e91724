#if TELLTALE_AGENT
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

@Suite("Names of secrets are masked, and names that only look alike are not")
struct MaskPolicyTests {
    let policy = MaskPolicy(additionalNames: ["ssn", "bankAccount"])

    @Test(
        "masked",
        arguments: [
            "password", "userPassword", "passwd", "pwd", "db_pwd", "passphrase", "secret",
            "clientSecret", "token", "accessToken", "access_token", "access-token", "apiKey",
            "api_key", "API_KEY", "APIKey", "apikey", "apiToken", "X-Api-Key", "authorization",
            "Authorization", "bearer", "cookie", "Set-Cookie", "cookies", "credential",
            "credentials", "awsCredentials", "privateKey", "signingKey", "accessKey",
            "accessKeyID", "sessionID", "session_id", "sessionIDs", "_password",
            "$__lazy_storage_$_token", "token2", "PASSWORD", "dbpassword", "jwt", "ssn",
            "userSSN", "bank_account", "passwordHash", "refreshTokens",
        ])
    func masked(name: String) { #expect(policy.masks(name: name)) }

    @Test(
        "not masked",
        arguments: [
            "tokenizer", "keyboard", "monkey", "keys", "keyPath", "secretary", "title",
            "passenger", "compass", "passed", "cookieless", "sessions", "session", "id",
            "authorizer", "apiVersion", "accessLevel", "privateNotes", "tokenCount", "bear",
            "primaryKey", "sortKey", "", "_", "123", "bank", "account",
        ])
    func shown(name: String) { #expect(!policy.masks(name: name)) }

    @Test("a very long name costs no more than its beginning")
    func longNames() {
        #expect(policy.masks(name: "password" + String(repeating: "Aa", count: 100_000)))
    }

    @Test("types say what of theirs is secret, and what is not")
    func types() {
        #expect(policy.masks(type: Vault.self))
        #expect(!policy.masks(type: Parser.self) && !policy.masks(type: Int.self))
        #expect(masks("iban", of: Parser.self))
        #expect(masks("_iban", of: Parser.self))
        #expect(!masks("token", of: Parser.self))
        #expect(masks("secret", of: Parser.self))
        #expect(masks("iban", of: Sub.self))
        #expect(masks("token", of: Int.self))
        #expect(!MaskPolicy.none.masks(type: Vault.self))
        #expect(!masks("password", of: Vault.self, by: MaskPolicy.none))
    }

    private func masks(_ name: String, of type: Any.Type, by policy: MaskPolicy? = nil) -> Bool {
        (policy ?? self.policy).masks(
            part: name, of: type, isNamedSo: SecretProperty.isSecret(name: name, of: String.self))
    }

    struct Vault: TelltaleReflectable {
        static var telltaleIsSecret: Bool { true }
    }
    class Parser: TelltaleReflectable {
        static var telltaleMasked: Set<String> { ["iban"] }
        static var telltaleUnmasked: Set<String> { ["token"] }
    }
    final class Sub: Parser {}
}
#endif
