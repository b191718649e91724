#if TELLTALE_AGENT
import Foundation
import TelltaleSystem
import TelltaleZoo
import TelltaleZooOptimised
import Testing

@testable import TelltaleRuntime

/// The zoo of both builds is two modules of the same text, so what is done with either is written for both.
private struct Call {
    var zoo: String
    var selector: String
    var values: [Any]
    var object: AnyObject
    var notes: () -> [String]
    var direct: () async throws -> (result: Any, notes: [String])

    /// All methods of objects, or those of types that are async.
    static func all(ofType: Bool = false) -> [Call] {
        (ofType ? TelltaleZoo.Called.staticCases : TelltaleZoo.Called.cases).map { entry in
            let object = TelltaleZoo.Called.makeZoo()
            return Call(
                zoo: "debug", selector: entry.selector, values: entry.values, object: object,
                notes: { object.taken() },
                direct: {
                    let other = TelltaleZoo.Called.makeZoo()
                    let result = await text { try await entry.direct(other) }
                    return (result, other.taken())
                })
        }
            + (ofType ? TelltaleZooOptimised.Called.staticCases : TelltaleZooOptimised.Called.cases)
            .map { entry in
                let object = TelltaleZooOptimised.Called.makeZoo()
                return Call(
                    zoo: "optimised", selector: entry.selector, values: entry.values,
                    object: object, notes: { object.taken() },
                    direct: {
                        let other = TelltaleZooOptimised.Called.makeZoo()
                        let result = await text { try await entry.direct(other) }
                        return (result, other.taken())
                    })
            }
    }

    private static func text(_ body: () async throws -> Any) async -> String {
        do {
            return "\(try await body())"
        } catch {
            return "threw \(error)"
        }
    }
}

@Suite("Methods that are called by their symbols, in debug and optimised")
struct TypeMethodTests {
    private func methods(_ type: Any.Type) throws -> [TypeMethod] {
        try #require(
            TypeMethods.all(
                of: type, Symbolicator(), until: .now.advanced(by: .seconds(60))))
    }

    @Test("what several threads read at once, of different types, is known to all afterwards")
    func readTogether() async {
        await #expect(processExitsWith: .success) {
            let types: [any AnyObject.Type] = [
                type(of: TelltaleZoo.Called.makeZoo()),
                type(of: TelltaleZooOptimised.Called.makeZoo()),
            ]
            let ended = TimedCondition(0)
            for type in types {
                try NativeThread.start(name: "reads", stackBytes: nil) {
                    _ = TypeMethods.all(
                        of: type, Symbolicator(),
                        until: .now.advanced(by: .seconds(60)))
                    ended.update { $0 += 1 }
                }
            }
            let isOver = ended.wait(until: .now.advanced(by: .seconds(120))) {
                $0 == types.count ? true : nil
            }
            #expect(isOver == true)
            for type in types { #expect(TypeMethods.known(of: type) != nil, "\(type)") }
        }
    }

    private func method(_ selector: String, _ kind: FunctionSignature.Kind, _ type: Any.Type)
        throws -> TypeMethod
    {
        try #require(
            try methods(type).first {
                $0.signature?.selector == selector && $0.signature?.kind == kind
            }, "\(selector) of \(type)")
    }

    private static func text(_ outcome: SwiftCall.Outcome) -> String {
        switch outcome {
        case .returned(nil): "()"
        case .returned(let value?): "\(value)"
        case .threw(let error): "threw \(error)"
        }
    }

    @Test("each gets its arguments and gives its result as in a call of the compiler's")
    func calls() async throws {
        var count = 0
        for call in Call.all() {
            let what: Comment = "\(call.selector) \(call.zoo)"
            let method = try method(call.selector, .method, type(of: call.object))
            guard case .success(let callability) = method.callability else {
                Issue.record("\(what): \(method.refusal ?? "")")
                continue
            }
            let outcome: SwiftCall.Outcome
            if let record = method.record {
                let async = try #require(AsyncSwiftCall(call.values, callability), what)
                outcome = await async.run(
                    record, on: .object(call.object), throws: method.signature?.canThrow == true)
            } else {
                outcome = try #require(method.call(on: call.object, call.values), what)
            }
            let noted = call.notes()
            let expected = try await call.direct()
            #expect(Self.text(outcome) == "\(expected.result)", what)
            #expect(noted == expected.notes, what)
            count += 1
        }
        #expect(count >= 140)
    }

    @Test("a stack is read through the call, to whoever called")
    func unwinding() throws {
        let object = TelltaleZoo.Called.makeZoo()
        let method = try method("frames()", .method, TelltaleZoo.Called.self)
        let outcome = try #require(method.call(on: object, []))
        guard case .returned(let frames as Int) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        // As many as the compiler's own call has, and those of the call.
        #expect(frames > object.frames())
    }

    @Test("a static method is called with its type as self, in debug code and in optimised code")
    func statics() throws {
        for type in [TelltaleZoo.Called.self, TelltaleZooOptimised.Called.self] as [Any.Type] {
            let fixed = try #require(
                try methods(type).first { $0.signature?.selector == "fixed(_:)" })
            #expect(fixed.refusal == nil, "\(type)")
            guard case .returned(let value)? = fixed.call(onType: type, [7]) else {
                Issue.record("\(type).fixed was not called")
                continue
            }
            #expect(value as? Int == 7)
        }
    }

    @Test("so is one that is async, whatever its result is, and the type stays as it was")
    func asyncStatics() async throws {
        var count = 0
        for call in Call.all(ofType: true) {
            let type: Any.Type = type(of: call.object)
            let method = try #require(
                try methods(type).first {
                    $0.signature?.selector == call.selector && $0.signature?.isStatic == true
                }, "\(call.selector)")
            let what: Comment = "\(call.selector) \(call.zoo)"
            guard case .success(let callability) = method.callability else {
                Issue.record("\(what): \(method.refusal ?? "")")
                continue
            }
            let word = TypeMethod.selfWord(of: type)
            // Reference counts are an object's second word, which is the superclass in a class.
            let second = try #require(UnsafePointer<UInt>(bitPattern: word))[1]
            let record = try #require(method.record, what)
            let expected = try await call.direct()
            for _ in 0..<100 {
                let async = try #require(AsyncSwiftCall(call.values, callability), what)
                let outcome = await async.run(
                    record, on: .type(word), throws: method.signature?.canThrow == true)
                #expect(Self.text(outcome) == "\(expected.result)", what)
            }
            #expect(try #require(UnsafePointer<UInt>(bitPattern: word))[1] == second, what)
            count += 1
        }
        #expect(count == 22)
    }

    @Test("no reference is taken of what it is called on")
    func asyncStaticUncounted() async {
        await #expect(processExitsWith: .success) {
            let page = mmap(nil, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            let word = UInt(bitPattern: page)
            for type in [TelltaleZoo.Called.self, TelltaleZooOptimised.Called.self] as [Any.Type] {
                let methods = TypeMethods.all(
                    of: type, Symbolicator(), until: .now.advanced(by: .seconds(60)))
                // It doesn't read its `self`.
                let method = methods?.first { $0.signature?.selector == "laterNumber(_:_:)" }
                guard case .success(let callability)? = method?.callability,
                    let record = method?.record, let call = AsyncSwiftCall([1.5, 4], callability),
                    case .returned(let value?) = await call.run(
                        record, on: .type(word), throws: false),
                    value as? Double == 6
                else { exit(1) }
            }
        }
    }

    @Test("what a symbol doesn't say, or a register can't hold, is not called")
    func refusals() throws {
        let reasons = [
            ("generic", "it is generic"), ("changing", "inout"), ("closure", "closure"),
            ("existential", "existential"), ("variadic", "any number"),
            ("typed", "typed error"), ("itself", "Self"),
        ]
        for type in [TelltaleZoo.Called.self, TelltaleZooOptimised.Called.self] as [Any.Type] {
            let methods = try methods(type)
            for (name, reason) in reasons {
                let found = methods.filter {
                    ($0.signature?.selector ?? SymbolName.demangled($0.symbol) ?? "").contains(name)
                        && !$0.symbol.hasSuffix("TW")
                }
                #expect(
                    found.contains { $0.refusal?.contains(reason) == true },
                    "\(type).\(name): \(found.map { $0.refusal ?? "callable" })")
            }
            // Its first two arguments are not in its symbol.
            let sending = methods.first { $0.signature?.name == "sending" }
            #expect(sending?.refusal != nil)
        }
    }
}
#endif
