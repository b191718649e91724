#ifndef FACES_H
#define FACES_H

#include <stdint.h>

/* The functions of libPhotoFaces.so, which is C++ and OpenCV inside and is loaded on demand. */

/* A rectangle in a picture, in pixels from its upper left corner. */
struct photo_area {
    int32_t x, y, width, height;
};

/* A face, and where its eyes are: found, or where eyes usually are. */
struct photo_face {
    struct photo_area face;
    struct photo_area eyes[2];
    int32_t eyes_found;
};

struct photo_face_finder;

/* Loads two cascades; NULL where one of them can't be read. */
typedef struct photo_face_finder *_Nullable (*photo_faces_open_function)(
    const char *_Nonnull face_cascade, const char *_Nonnull eye_cascade);

/* Finds at most `limit` faces in a picture of one byte a pixel, the largest first. Returns how many, or -1.
   One caller at a time. */
typedef int32_t (*photo_faces_find_function)(
    struct photo_face_finder *_Nonnull finder, const uint8_t *_Nonnull gray, int32_t width,
    int32_t height, struct photo_face *_Nonnull found, int32_t limit);

typedef void (*photo_faces_close_function)(struct photo_face_finder *_Nullable finder);

#endif
