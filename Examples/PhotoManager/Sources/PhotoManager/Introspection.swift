/// All that the service has to do with the agent.
@MainActor
struct Introspection {
    init(of service: Service) {}
    func end() {}
}
