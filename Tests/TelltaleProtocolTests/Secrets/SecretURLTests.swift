import Testing

@testable import TelltaleProtocol

@Suite("A URL is shown without the secrets in it")
struct SecretURLTests {
    @Test(
        "passwords and parameters that are named like secrets are masked",
        arguments: [
            ("https://app:hunter2@example.com/a", "https://app:<masked>@example.com/a"),
            (
                "postgres://u:p@db:5432/x?sslmode=require",
                "postgres://u:<masked>@db:5432/x?sslmode=require"
            ),
            ("redis://:p@cache", "redis://:<masked>@cache"),
            ("amqp://u:a@b@host/v", "amqp://u:<masked>@host/v"),
            ("mongodb://u:a/b@host/v", "mongodb://u:<masked>@host/v"),
            ("https://ghp_0123456789abcdefgh@github.com/x", "https://<masked>@github.com/x"),
            ("https://h/a?token=t&page=2", "https://h/a?token=<masked>&page=2"),
            ("https://h/a?page=2&API_KEY=t#top", "https://h/a?page=2&API_KEY=<masked>#top"),
            ("https://h/cb#access_token=t&state=1", "https://h/cb#access_token=<masked>&state=1"),
            ("https://h/cb?code=4711", "https://h/cb?code=<masked>"),
            ("https://h/a?to%6ben=t", "https://h/a?to%6ben=<masked>"),
            ("/cb?sig=abc", "/cb?sig=<masked>"),
            (
                "GET https://u:p@h/a HTTP/1.1 and ftp://v:q@i",
                "GET https://u:<masked>@h/a HTTP/1.1 and ftp://v:<masked>@i"
            ),
            (
                "Server=db;User=app;Password=p w;Pooling=true",
                "Server=db;User=app;Password=<masked>;Pooling=true"
            ),
            ("host=h password='a b' port=1", "host=h password='<masked>' port=1"),
            ("https://h/?token=a=b==&x=1", "https://h/?token=<masked>&x=1"),
            // Connection strings, as they are written and as drivers want them.
            ("Server=h; Password = p,q#r&s; User=u", "Server=h; Password = <masked>; User=u"),
            ("Password=p,q;Server=h", "Password=<masked>;Server=h"),
            ("Server=h;Pwd={p;q};User=u", "Server=h;Pwd={<masked>};User=u"),
            ("a=1,token=p,b=2", "a=1,token=<masked>,b=2"), ("token=p,q", "token=<masked>"),
            ("u:p@tcp(h:3306)/db", "u:<masked>@tcp(h:3306)/db"),
            ("//u:p@h/x", "//u:<masked>@h/x"),
            // A URL in a URL, and in JSON.
            (
                "https://h/?next=https%3A%2F%2Fi%2F%3Ftoken%3Dp%26a%3Db",
                "https://h/?next=https%3A%2F%2Fi%2F%3Ftoken%3D<masked>%26a%3Db"
            ),
            ("https%3A%2F%2Fu%3Ap%40h%2F", "https%3A%2F%2Fu%3A<masked>%40h%2F"),
            (#"https:\/\/u:p@h\/"#, #"https:\/\/u:<masked>@h\/"#),
            // Bodies and heads that were kept as they came.
            (#"{"password":"p","user":"u"}"#, #"{"password":"<masked>","user":"u"}"#),
            (#"{"pin" : 4711, "a":1}"#, #"{"pin" : <masked>, "a":1}"#),
            (#"{"tokens":["p",["q"]],"a":1}"#, #"{"tokens":<masked>,"a":1}"#),
            (#"{"token":"p\"q","a":1}"#, #"{"token":"<masked>","a":1}"#),
            (#"{\"token\":\"p\",\"a\":1}"#, #"{\"token\":\"<masked>\",\"a\":1}"#),
            (
                "GET / HTTP/1.1\r\nAuthorization: Bearer p\r\nCookie: a=p; b=q\r\nHost: h\r\n",
                "GET / HTTP/1.1\r\nAuthorization: <masked>\r\nCookie: <masked>\r\nHost: h\r\n"
            ),
            ("X-Api-Key: p", "X-Api-Key: <masked>"),
            // Values as Swift describes them, and members in single quotes.
            (#"Login(user: "u", password: "p q")"#, #"Login(user: "u", password: "<masked>")"#),
            (#"password: Optional("p\"q")"#, #"password: Optional("<masked>")"#),
            (#"got: Login(apiToken: \"p\")"#, #"got: Login(apiToken: \"<masked>\")"#),
            ("{'password': 'p', 'user': 'u'}", "{'password': '<masked>', 'user': 'u'}"),
        ])
    func masked(text: String, shown: String) { #expect(SecretURL.masking(text) == shown) }

    @Test(
        "all else is left as it is",
        arguments: [
            "https://example.com:8080/a?page=2", "ssh://git@github.com/x", "http://[::1]:80/a",
            "https://medium.com/@someone/a", "file:///srv/a", "a=b", "=", "://", "", "x == y",
            "https://h/a?tokenCount=3", "dG9rZW4=", "no URL at all", "https://h/a?token=",
            "Password: at least eight characters", "// a comment: some code", "100% sure: yes",
            #"{"isSecret":true,"keyboard":"de"}"#, "10:15:30 token: none", "%3d%3D%", "a: b\nc: d",
            "next=https%3A%2F%2Fi%2F%3Fa%3Db", #"no such key: "title""#, #"tokenCount: "3""#,
            #"password: """#, "it's a password: don't tell",
        ])
    func untouched(text: String) { #expect(SecretURL.masking(text) == nil) }

    @Test(
        "options, elements, labels and private keys are masked",
        arguments: [
            ("mysqldump --password hunter2 db", "mysqldump --password <masked> db"),
            ("run --api-token 'a b' -v", "run --api-token '<masked>' -v"),
            ("keytool -storepass changeit -alias a", "keytool -storepass <masked> -alias a"),
            (#"["--password", "x y", "-v"]"#, #"["--password", "<masked>", "-v"]"#),
            ("curl -u joe:hunter2 https://h/", "curl -u joe:<masked> https://h/"),
            ("curl --user 'joe:hunter 2' h", "curl --user 'joe:<masked>' h"),
            ("/usr/bin/curl -ujoe:x h", "/usr/bin/curl -ujoe:<masked> h"),
            ("<a><password>p q</password></a>", "<a><password><masked></password></a>"),
            (
                #"<w:Password Type="T">p</w:Password>"#,
                #"<w:Password Type="T"><masked></w:Password>"#
            ),
            ("<token><![CDATA[a<b]]></token>", "<token><![CDATA[<masked>]]></token>"),
            ("password:hunter2", "password:<masked>"),
            ("user:joe,password:hunter,port:1", "user:joe,password:<masked>,port:1"),
            ("login with password: hunter2 failed", "login with password: <masked> failed"),
            (#"{"a": {"password": "x"}}"#, #"{"a": {"password": "<masked>"}}"#),
            (
                "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nrest",
                "-----BEGIN RSA PRIVATE KEY-----<masked>-----END RSA PRIVATE KEY-----\nrest"
            ),
            ("key -----BEGIN PRIVATE KEY----- MIIE", "key -----BEGIN PRIVATE KEY-----<masked>"),
        ])
    func otherSyntaxes(text: String, shown: String) {
        #expect(SecretURL.masking(text) == shown)
    }

    @Test(
        "prose, options and labels that are no secrets are left as they are",
        arguments: [
            "passwordless login", "token count 5", "token: expired", "tokens:5", "the token: none.",
            "--token-count 5", "usage: login <password>", "docker run -u 1000:1000 image",
            "login(password:token:)", "Token::next", "password:nil", "auth.token:refresh",
            "registry/token:latest", "--password --verbose", "-----BEGIN CERTIFICATE----- MIIE",
            "a - b", "-", "--", "<", "<token>", "<tokenCount>5</tokenCount>", "T12:30:00Z",
            "key:value",
        ])
    func prose(text: String) { #expect(SecretURL.masking(text) == nil) }

    @Test("the sign by which a secret is known is found at each place of a word of eight bytes")
    func everyPlace() {
        for length in 0..<20 {
            let before = String(repeating: "a", count: length) + " token"
            for after in ["x", "x and more, which is longer"] {
                #expect(SecretURL.masking("\(before)=\(after)") != nil, "\(before)=\(after)")
            }
            #expect(SecretURL.masking("\(before) x") == nil)
        }
    }

    @Test("one that is cut off shows nothing of a password whose end is missing")
    func cut() {
        let url = "https://app:12hunter34@example.com/"
        for count in 0...url.count {
            let start = String(url.prefix(count))
            let shown = SecretURL.masking(start, isWhole: false) ?? start
            #expect(!shown.contains("12"), "\(start)")
        }
    }

    @Test("it takes a time in proportion to the text")
    func hostile() {
        for piece in [
            "://", "://a:b", "=", "token=", "a://:@", "%%=", "://a:b@", "%3d", "%3a%2f%2f", "@tcp(",
            "\":", "\"key\":", "\"key\":{", "\\\":", "key:\n", "key={", "token=,", " = ", ";=",
            "<password>", "<", "</", " --token", " -u", "curl -u",
            "token:", "-----BEGIN PRIVATE KEY-----", "-----BEGIN ", "<token><![CDATA[", "-",
        ] {
            let text = String(repeating: piece, count: 65_536 / piece.utf8.count)
            let start = ContinuousClock.now
            _ = SecretURL.masking(text)
            #expect(ContinuousClock.now - start < .seconds(20), "\(piece)")
        }
    }
}

@Suite("What was typed is repeated without the secrets in it")
struct MaskedLiteralTests {
    @Test(
        arguments: [
            ("{\"password\": \"x\", \"a\": 1}", "[\"password\": <masked>, \"a\": 1]"),
            ("(user: \"u\", pass: \"x\")", "(user: \"u\", pass: <masked>)"),
            (".password(\"x\")", ".password(<masked>)"), (".named(\"x\")", ".named(\"x\")"),
            ("(\"Cookie\", \"x\")", "(\"Cookie\", <masked>)"),
            ("(\"Host\", \"x\")", "(\"Host\", \"x\")"),
            (
                "{\"name\": \"Authorization\", \"value\": \"x\"}",
                "[\"name\": \"Authorization\", \"value\": <masked>]"
            ),
            ("(key: \"token\", value: \"x\")", "(key: \"token\", value: <masked>)"),
            ("(key: \"colour\", value: \"x\")", "(key: \"colour\", value: \"x\")"),
            ("(key: [1], other: \"x\")", "(key: <masked>, other: \"x\")"),
            ("[[\"secret\": [1, 2]]]", "[[\"secret\": <masked>]]"),
            ("\"https://u:p@h\"", "\"https://u:<masked>@h\""),
            ("{\"isSecret\": true}", "[\"isSecret\": true]"),
            ("12", "12"), ("[:]", "[:]"), ("nil", "nil"), ("()", "()"), (".a", ".a"),
        ])
    func repeated(typed: String, shown: String) throws {
        #expect(try Literal(parsing: typed).masked(by: .standard) == shown)
    }
}
