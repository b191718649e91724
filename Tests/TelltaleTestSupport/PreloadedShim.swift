import Foundation
import TelltaleSystem

/// A library that a host is started with and that has system calls fail where a test says so.
///
/// `TELLTALE_TEST_FAIL` in the host's environment names one function; the host may change it while it
/// runs. `TELLTALE_TEST_SECCOMP=1` has the kernel refuse `process_vm_readv` from the start on.
package final class PreloadedShim {
    /// A missing tool or file.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private let folder: TemporaryFolder

    /// Compiles it.
    ///
    /// - Parameter more: C that is in it as well.
    /// - Throws: ``Failure`` with the compiler's words.
    package init(with more: String = "") throws {
        folder = try TemporaryFolder("telltale-shim")
        try PrivateFile.replace("\(folder.path)/shim.c", with: Array((Self.source + more).utf8))
        let compiler = try StartedProgram(
            "/bin/sh",
            [
                "-c",
                "for c in clang cc gcc; do command -v $c >/dev/null || continue; "
                    + "exec $c -shared -fPIC -o shim.so shim.c -ldl; done; exit 127",
            ].map { $0.replacingOccurrences(of: "shim.", with: "\(folder.path)/shim.") },
            capturing: .errors)
        let words = compiler.readToEnd(until: .now.advanced(by: .seconds(60))) ?? []
        guard compiler.waitUntilExit() == 0 else {
            throw Failure(description: String(decoding: words, as: UTF8.self))
        }
        // Hosts of another user load it too.
        chmod(folder.path, 0o755)
        chmod("\(folder.path)/shim.so", 0o755)
    }

    /// Returns the environment of a host that is started with it.
    ///
    /// - Parameter function: The function that fails from the start on; `nil` for none.
    /// - Returns: Variables for its environment.
    package func environment(failing function: String? = nil) -> [String: String] {
        var variables = ["LD_PRELOAD": "\(folder.path)/shim.so"]
        variables["TELLTALE_TEST_FAIL"] = function
        return variables
    }

    // Only the agent calls these on Unix sockets and on files whose names hold "agents" or "dump", but
    // for pthread_create, which fails for all.
    private static let source = #"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <linux/audit.h>
        #include <linux/filter.h>
        #include <linux/seccomp.h>
        #include <pthread.h>
        #include <stddef.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/prctl.h>
        #include <sys/socket.h>
        #include <sys/stat.h>
        #include <sys/syscall.h>

        static int fails(const char *name) {
            const char *wanted = getenv("TELLTALE_TEST_FAIL");
            return wanted && strcmp(wanted, name) == 0;
        }
        #define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

        int chmod(const char *path, mode_t mode) {
            if (fails("chmod")) return errno = EACCES, -1;
            return NEXT(chmod)(path, mode);
        }
        int fchmod(int file, mode_t mode) {
            if (fails("fchmod")) return errno = EACCES, -1;
            return NEXT(fchmod)(file, mode);
        }
        int bind(int socket, const struct sockaddr *address, socklen_t length) {
            if (fails("bind")) return errno = EACCES, -1;
            return NEXT(bind)(socket, address, length);
        }
        int listen(int socket, int backlog) {
            if (fails("listen")) return errno = EACCES, -1;
            return NEXT(listen)(socket, backlog);
        }
        int getsockopt(int socket, int level, int name, void *value, socklen_t *length) {
            if (name == SO_PEERCRED && fails("getsockopt")) return errno = EACCES, -1;
            return NEXT(getsockopt)(socket, level, name, value, length);
        }
        int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                           void *(*body)(void *), void *argument) {
            if (fails("pthread_create")) return EAGAIN;
            return NEXT(pthread_create)(thread, attributes, body, argument);
        }

        __attribute__((constructor)) static void refuse(void) {
            if (!getenv("TELLTALE_TEST_SECCOMP")) return;
            struct sock_filter filter[] = {
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
            };
            struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
            if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
                || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) abort();
        }
        """#
}
