#ifndef DETECTION_H
#define DETECTION_H

#include "faces.h"

#ifdef __cplusplus
extern "C" {
#endif

struct photo_face_finder *_Nullable photo_faces_open(
    const char *_Nonnull face_cascade, const char *_Nonnull eye_cascade);
int32_t photo_faces_find(
    struct photo_face_finder *_Nonnull finder, const uint8_t *_Nonnull gray, int32_t width,
    int32_t height, struct photo_face *_Nonnull found, int32_t limit);
void photo_faces_close(struct photo_face_finder *_Nullable finder);

#ifdef __cplusplus
}
#endif

#endif
