#if DEBUG && canImport(Glibc)
import CTelltaleSystem
import Glibc
import TelltaleSystem
import Testing

@testable import TelltaleRuntime

/// Cached facts of a type are dropped with the library that it is from.
@Suite(.serialized)
struct TypeImagesTests {
    /// The records that a compiler writes for a struct with one property.
    private static func source(_ property: String) -> String {
        """
            .section .note.GNU-stack,"",%progbits
            .data
            .p2align 4
        witnesses:
            .zero 64
            .quad 8, 8
            .long 7, 0
            .zero 16
        descriptor:
            .long 0x51
            .long module - .
            .long name - .
            .long 0
            .long fields - .
            .long 1
            .long 2
        fields:
            .long 0, 0
            .short 0, 12
            .long 1
            .long 0
            .long integer - .
            .long property - .
        module:
            .long 0
            .long 0
            .long library - .
            .p2align 3
            .quad witnesses
            .globl metadata
        metadata:
            .quad 0x200
            .quad descriptor
            .quad 0
        integer: .asciz "Si"
        property: .asciz "\(property)"
        name: .asciz "Type"
        library: .asciz "Library"
        """
    }

    private static func build(_ name: String, in folder: TemporaryFolder) throws -> String {
        let library = "\(folder.path)/\(name).so"
        try PrivateFile.replace("\(folder.path)/\(name).s", with: Array(source(name).utf8))
        let compiler = try StartedProgram(
            "/bin/sh",
            [
                "-c",
                "for c in clang cc gcc; do command -v $c >/dev/null || continue; "
                    + "exec $c -shared -nostdlib -o \(library) \(folder.path)/\(name).s; done; exit 127",
            ], capturing: .errors)
        let words = compiler.readToEnd(until: .now.advanced(by: .seconds(60))) ?? []
        try #require(compiler.waitUntilExit() == 0, "\(String(decoding: words, as: UTF8.self))")
        return library
    }

    @Test("a type of a library that takes the place of another one has its own properties")
    func replaced() throws {
        let folder = try TemporaryFolder("telltale-types")
        let paths = [
            try Self.build("first", in: folder), try Self.build("other", in: folder),
        ]
        let first = try #require(dlopen(paths[0], RTLD_NOW))
        let address = UInt(bitPattern: dlsym(first, "metadata"))
        let type = try #require(MetadataCheck.type(at: address))
        #expect(FieldCache.fields(of: type).map(\.name) == ["first"])
        #expect(!TypeImages.check())
        #expect(FieldCache.fields(of: type).map(\.name) == ["first"])

        dlclose(first)
        let other = try #require(dlopen(paths[1], RTLD_NOW))
        defer { dlclose(other) }
        // The kernel gives the place that has become free.
        try #require(UInt(bitPattern: dlsym(other, "metadata")) == address)
        // The cached fields are still those of the first.
        #expect(FieldCache.fields(of: type).map(\.name) == ["first"])
        #expect(TypeImages.check())
        #expect(MetadataCheck.type(at: address) != nil)
        #expect(FieldCache.fields(of: type).map(\.name) == ["other"])
    }

    @Test("what the program was linked with is there for good, and what was loaded later is not")
    func lasting() throws {
        let folder = try TemporaryFolder("telltale-types")
        let library = try #require(dlopen(try Self.build("later", in: folder), RTLD_NOW))
        let own = ctelltale_image_start(UInt(bitPattern: TypeMetadata(TypeImages.self).pointer))
        let swift = ctelltale_image_start(UInt(bitPattern: TypeMetadata(Int.self).pointer))
        let later = ctelltale_image_start(UInt(bitPattern: dlsym(library, "metadata")))
        try #require(own != 0 && swift != 0 && later != 0)
        #expect(ctelltale_image_is_lasting(own))
        #expect(ctelltale_image_is_lasting(swift))
        #expect(!ctelltale_image_is_lasting(later))
        dlclose(library)
        #expect(!ctelltale_image_is_lasting(0xFFFF))
    }

    @Test("the loader's list has another mark with each object that comes, until it has gone")
    func objectsMark() throws {
        let folder = try TemporaryFolder("telltale-types")
        let paths = [try Self.build("one", in: folder), try Self.build("two", in: folder)]
        let before = ctelltale_objects_mark()
        try #require(before != 0)
        #expect(ctelltale_objects_mark() == before)
        let listed = try #require(LoadedImages.read())
        let images = try #require(LoadedImages.loaded(after: nil))
        #expect(LoadedImages.loaded(after: images) === images)
        var marks: Set<UInt64> = [before]
        for path in paths {
            let library = try #require(dlopen(path, RTLD_NOW))
            #expect(marks.insert(ctelltale_objects_mark()).inserted)
            #expect(LoadedImages.loaded(after: images) !== images)
            // Nor does what was read a moment ago serve for another moment.
            let now = try #require(LoadedImages.read())
            #expect(now.all.contains { $0.path == path })
            #expect(now !== listed)
            dlclose(library)
        }
        #expect(ctelltale_objects_mark() == before)
        #expect(LoadedImages.loaded(after: images) === images)
    }

    @Test("metadata of a library that has been unloaded is none any more")
    func unloaded() throws {
        let folder = try TemporaryFolder("telltale-types")
        let path = try Self.build("gone", in: folder)
        let library = try #require(dlopen(path, RTLD_NOW))
        let address = UInt(bitPattern: dlsym(library, "metadata"))
        #expect(MetadataCheck.type(at: address) != nil)
        dlclose(library)
        #expect(TypeImages.check())
        #expect(MetadataCheck.type(at: address) == nil)
    }
}
#endif
