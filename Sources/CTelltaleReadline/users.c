// Replacements for glibc's user database functions, for readline alone.
//
// readline asks for users' home directories when it expands `~name` and completes `~na`. In a
// static executable glibc's own functions load NSS modules at run time, which the linker warns of
// and which fail, or crash, in an image with another libc. So these take their place: each of them
// reports that there is no such user, and readline leaves the word as it was typed. `~` itself is
// $HOME and needs no lookup. The rest of the client reads user names from /etc/passwd
// (TelltaleSystem.UserNames).

#include <errno.h>
#include <pwd.h>
#include <stddef.h>

struct passwd *getpwnam(const char *name) {
    (void)name;
    errno = 0;
    return NULL;
}

struct passwd *getpwuid(uid_t uid) {
    (void)uid;
    errno = 0;
    return NULL;
}

struct passwd *getpwent(void) { return NULL; }

void setpwent(void) {}

void endpwent(void) {}

