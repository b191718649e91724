// Faces by OpenCV's cascades. No exception leaves this file.
#include "detection.h"

#include <algorithm>
#include <new>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>
#include <vector>

struct photo_face_finder {
    cv::CascadeClassifier faces, eyes;
};

namespace {

photo_area area(const cv::Rect &rect) { return {rect.x, rect.y, rect.width, rect.height}; }

// Eyes stand in the upper half of a face, one on each side.
void find_eyes(photo_face_finder &finder, const cv::Mat &picture, const cv::Rect &face,
               photo_face &found) {
    const int edge = face.width / 4;
    const int height = face.y + face.height * 2 / 5 - edge / 2;
    found.eyes[0] = {face.x + face.width * 3 / 10 - edge / 2, height, edge, edge};
    found.eyes[1] = {face.x + face.width * 7 / 10 - edge / 2, height, edge, edge};
    const cv::Rect upper(face.x, face.y + face.height / 6, face.width, face.height * 5 / 12);
    std::vector<cv::Rect> eyes;
    finder.eyes.detectMultiScale(picture(upper), eyes, 1.1, 4, 0, {edge / 2, edge / 2});
    bool seen[2] = {false, false};
    for (const cv::Rect &eye : eyes) {
        const int side = eye.x + eye.width / 2 < upper.width / 2 ? 0 : 1;
        if (seen[side]) continue;
        seen[side] = true;
        found.eyes[side] = area(eye + upper.tl());
    }
    found.eyes_found = seen[0] + seen[1];
}

}  // namespace

photo_face_finder *photo_faces_open(const char *face_cascade, const char *eye_cascade) {
    try {
        cv::setNumThreads(1);
        auto *finder = new photo_face_finder;
        if (finder->faces.load(face_cascade) && finder->eyes.load(eye_cascade)) return finder;
        delete finder;
    } catch (...) {
    }
    return nullptr;
}

int32_t photo_faces_find(photo_face_finder *finder, const uint8_t *gray, int32_t width,
                         int32_t height, photo_face *found, int32_t limit) {
    try {
        cv::Mat picture(height, width, CV_8UC1, const_cast<uint8_t *>(gray));
        cv::Mat even;
        cv::equalizeHist(picture, even);
        const int smallest = std::max(24, std::min(width, height) / 12);
        std::vector<cv::Rect> faces;
        finder->faces.detectMultiScale(even, faces, 1.1, 6, 0, {smallest, smallest});
        std::sort(faces.begin(), faces.end(),
                  [](const cv::Rect &a, const cv::Rect &b) { return a.area() > b.area(); });
        const auto count = std::min<size_t>(faces.size(), static_cast<size_t>(limit));
        for (size_t number = 0; number < count; number++) {
            found[number].face = area(faces[number]);
            find_eyes(*finder, even, faces[number], found[number]);
        }
        return static_cast<int32_t>(count);
    } catch (...) {
        return -1;
    }
}

void photo_faces_close(photo_face_finder *finder) { delete finder; }
