#if TELLTALE_COMPILED
/// The answer to `eval`.
public struct EvalAnswer: CommandAnswer, MemberCoded {
    package static let kind = "eval"

    /// The result as a tree; `nil` if the code has none.
    public var value: ValueNode?
    /// The number by which the next evaluations of the connection can use the result: `$0`.
    public var number: Int?
    /// The result's type, with its module.
    public var resultType: String?
    /// The time the code ran, in microseconds.
    public var microseconds: Int?
    /// The time that the client took to compile it, in microseconds.
    public var compileMicroseconds: Int?
    /// The number under which `changes` lists the evaluation.
    public var change: Int?
    /// The process that code is compiled for, if none was given.
    public var host: EvalHost?
    /// Warnings of the compiler, and what the client has to say of the evaluation.
    public var remarks: [String]?

    /// Makes an empty one, to be read into.
    public init() {}

    /// Names its members to a coder.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("value", &value)
        coder.member("number", &number)
        coder.member("resultType", &resultType)
        coder.member("microseconds", &microseconds)
        coder.member("compileMicroseconds", &compileMicroseconds)
        coder.member("change", &change)
        coder.member("host", &host)
        coder.member("remarks", &remarks)
    }

    package func lines(_ style: TextStyle) -> [String] {
        let said = (remarks ?? []).map { $0.escaped }
        if host != nil, change == nil {
            return said.isEmpty
                ? ["the client compiles the code of eval: telltale NAME eval CODE"] : said
        }
        let (time, isTooLarge) = (microseconds ?? 0)
            .addingReportingOverflow(compileMicroseconds ?? 0)
        var remark = Quantity.time(microseconds: isTooLarge ? .max : time)
        if let change { remark += ", change \(change)" }
        guard let value else { return said + ["done  (\(remark))"] }
        let label = number.map { "$\($0)" } ?? "result"
        return said + ValueTree(style: style).lines(of: value, label: label, remarks: [remark])
    }
}

/// A process as code is compiled for it.
public struct EvalHost: MemberCoded, Sendable {
    /// A registered object, which is a variable of the code.
    public struct Variable: MemberCoded, Sendable {
        /// The name that it is registered as.
        public var name = ""
        /// Its type, with the module.
        public var type = ""
        /// The owner, as `objects` shows it.
        public var owner = ""

        /// Makes an empty one, to be read into.
        public init() {}

        /// Names its members to a coder.
        public mutating func code(_ coder: inout MemberCoder) {
            coder.member("name", &name)
            coder.member("type", &type)
            coder.member("owner", &owner)
        }
    }

    /// The difference between an address in the executable and one in memory, hexadecimal.
    public var bias = ""
    /// The build id of the executable, hexadecimal; empty where it has none.
    public var buildID = ""
    /// The number under which the agent keeps this connection's results.
    public var session: UInt64 = 0
    /// The registered objects.
    public var variables: [Variable] = []

    /// Makes an empty one, to be read into.
    public init() {}

    /// Names its members to a coder.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("bias", &bias)
        coder.member("buildID", &buildID)
        coder.member("session", &session)
        coder.member("variables", &variables)
    }
}
#endif
