#if TELLTALE_AGENT
import TelltalePicture
import Testing

@testable import TelltaleDiagnosis

/// Growth by the samples of minutes.
struct GrowthTests {
    /// One sample each ten seconds.
    private static func samples(
        _ subject: GrowthSample.Subject, _ counts: [Int?]
    ) -> [GrowthSample] {
        counts.enumerated().map { index, count in
            var sample = GrowthSample(seconds: Double(index) * 10)
            if let count { sample.amounts[subject] = .init(count) }
            return sample
        }
    }

    @Test("noise on a growth hides it as little as it makes one")
    func noise() throws {
        let noise = [0, 30, 5, 40, 12, 50, 0, 25, 44, 3, 18, 37]
        let level = noise.map { 1000 + $0 }
        #expect(Growth.all(in: Self.samples(.heap(1), level)).isEmpty)
        let rising = noise.enumerated().map { 1000 + $0 * 20 + $1 }
        let growth = try #require(Growth.all(in: Self.samples(.heap(1), rising)).first)
        #expect((110...130).contains(growth.perMinute), "\(growth)")
        #expect(growth.seconds == 110)
        #expect(growth.count == rising.last)
    }

    @Test("of a few seconds only what rises from almost each sample to the next has grown")
    func steady() {
        // The least of each third rises, and that is chance.
        let load = [410, 380, 690, 402, 730, 450, 520, 560, 480]
        #expect(Growth.all(in: Self.samples(.heap(1), load)).count == 1)
        #expect(Growth.all(in: Self.samples(.heap(1), load), isSteady: true).isEmpty)
        let leak = [400, 412, 440, 436, 470, 495, 510, 540, 552]
        #expect(Growth.all(in: Self.samples(.heap(1), leak), isSteady: true).count == 1)
        let chance = [400, 500, 600]
        #expect(
            Growth.all(in: Self.samples(.heap(1), chance), least: 5, isSteady: true).isEmpty)
    }

    @Test("a cache that fills to its bound has grown, and grows no more")
    func filled() {
        let filled = (0..<30).map { min(5000, 1000 + $0 * 300) }
        #expect(Growth.all(in: Self.samples(.heap(1), filled)).isEmpty)
    }

    @Test("a number that could not be counted whole is no growth")
    func cut() {
        var samples = Self.samples(.delayedItems, [nil, 500, 1000])
        #expect(!Growth.all(in: samples).isEmpty)
        samples[0].unknown = [.delayedItems]
        #expect(Growth.all(in: samples).isEmpty)
    }

    @Test("a class that was not among the largest is compared by its later samples only")
    func absent() {
        let counts = [nil, nil, nil, 500, 500, 500, 500, 500, 500] as [Int?]
        let samples = Self.samples(.heap(1), counts)
        #expect(Growth.all(in: samples, absence: .unknown).isEmpty)
        let late = Self.samples(.heap(1), [nil, nil, 500, 580, 660, 740])
        #expect(Growth.all(in: late, absence: .unknown).count == 1)
        #expect(Growth.all(in: late, absence: .unknown, least: 6).isEmpty)
    }

    @Test("the history tells a growth after two minutes of figures, and after five of counts")
    func history() throws {
        var history = GrowthHistory()
        func figures(_ minute: Double) -> GrowthSample {
            var sample = GrowthSample(seconds: minute * 60)
            sample.amounts[.descriptors("socket")] = .init(Int(100 + 30 * minute))
            sample.amounts[.residentMemory] = .init(Int(100 + 10 * minute))
            return sample
        }
        func count(_ minute: Double) -> GrowthSample {
            var sample = GrowthSample(seconds: minute * 60)
            sample.amounts[.heap(7)] = .init(Int(1000 + 60 * minute), bytes: 48_000)
            return sample
        }
        var subjects: [[GrowthSample.Subject]] = []
        for step in 0..<36 {
            let minute = Double(step) / 6
            subjects.append(
                history.growths(until: figures(minute), count(minute)).map(\.subject))
            history.add(figures: figures(minute))
            if step % 6 == 0 { history.add(count: count(minute)) }
        }
        #expect(subjects[10].isEmpty)
        #expect(Set(subjects[15]) == [.descriptors("socket"), .residentMemory])
        // The classes explain the memory.
        #expect(Set(subjects[35]) == [.descriptors("socket"), .heap(7)])
        let growth = try #require(history.growths(until: figures(6), count(6)).first)
        #expect((55...65).contains(growth.perMinute), "\(growth)")
    }

    @Test("its memory is bounded, and the newest samples stay")
    func bounded() {
        var history = GrowthHistory()
        for step in 0..<500 {
            var sample = GrowthSample(seconds: Double(step))
            for word in 0..<5000 {
                sample.amounts[.heap(UInt(word))] = .init(word, bytes: UInt64(word))
            }
            history.add(count: sample)
            if step % 10 == 0 { history.add(figures: sample) }
        }
        #expect(history.samples == (50, 30))
        for step in 500..<520 { history.add(figures: GrowthSample(seconds: Double(step))) }
        #expect(history.samples == (60, 30))
        var figures = GrowthHistory()
        for step in 0..<200 {
            var sample = GrowthSample(seconds: Double(step))
            for kind in 0..<12 { sample.amounts[.descriptors("kind\(kind)")] = .init(step) }
            figures.add(figures: sample)
        }
        for step in 0..<40 {
            var sample = GrowthSample(seconds: Double(step))
            for word in 0..<5000 { sample.amounts[.heap(UInt(word))] = .init(word) }
            figures.add(count: sample)
        }
        #expect(figures.bytes <= 256 << 10, "\(figures.bytes)")
    }
}
#endif
