/// The page for people: a wall of photos that asks for the album every second, and says so when no
/// answer comes.
enum AlbumPage {
    static let html = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Googly Puff</title>
        <style>
          :root { color-scheme: light dark; --line: #8884; --soft: #888; }
          body { margin: 0; font: 16px/1.4 system-ui, sans-serif; }
          header { position: sticky; top: 0; padding: .8rem 1.2rem; background: Canvas;
                   border-bottom: 1px solid var(--line); }
          h1 { margin: 0; font-size: 1.25rem; }
          #prompt { margin: .2rem 0 0; color: var(--soft); min-height: 1.4em; }
          #silence { display: none; margin: .4rem 0 0; padding: .3rem .6rem; border-radius: 6px;
                     background: #b3261e; color: #fff; }
          body.silent #silence { display: block; }
          body.silent main { opacity: .45; }
          main { display: grid; gap: 1rem; padding: 1.2rem;
                 grid-template-columns: repeat(auto-fill, minmax(190px, 1fr)); }
          figure { margin: 0; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
          .frame { aspect-ratio: 4 / 3; background: #8882 center / cover no-repeat; }
          .frame img { width: 100%; height: 100%; object-fit: cover; display: block; }
          figcaption { padding: .5rem .7rem; }
          figcaption b { display: block; overflow: hidden; text-overflow: ellipsis;
                         white-space: nowrap; }
          figcaption span { font-size: .8rem; color: var(--soft); }
          figure.failed span { color: #b3261e; }
        </style>
        </head>
        <body>
        <header>
          <h1 id="title">Googly Puff</h1>
          <p id="prompt"></p>
          <p id="silence" role="alert"></p>
        </header>
        <main id="wall"></main>
        <script>
        const byId = name => document.getElementById(name);
        const figures = new Map();
        let answered = Date.now();

        function figure(photo) {
          let shown = figures.get(photo.id);
          if (shown) return shown;
          shown = document.createElement("figure");
          shown.innerHTML = '<div class="frame"></div><figcaption><b></b><span></span></figcaption>';
          figures.set(photo.id, shown);
          byId("wall").append(shown);
          return shown;
        }

        function words(photo) {
          if (photo.failure) return photo.failure;
          if (photo.state !== "ready") return photo.state + " …";
          const faces = photo.faces === undefined ? ""
            : photo.faces === 1 ? " · 1 face" : ` · ${photo.faces} faces`;
          return `${photo.width} × ${photo.height} · ${Math.ceil(photo.bytes / 1024)} kB${faces}`;
        }

        function show(album) {
          byId("title").textContent = `${album.title} (${album.photos.length})`;
          byId("prompt").textContent = album.prompt ?? "";
          for (const photo of album.photos) {
            const shown = figure(photo);
            shown.className = photo.state;
            shown.querySelector("b").textContent = photo.title;
            shown.querySelector("span").textContent = words(photo);
            const frame = shown.firstChild;
            if (!photo.photo || frame.dataset.of === photo.photo) continue;
            frame.dataset.of = photo.photo;
            frame.style.backgroundImage = `url(${photo.thumbnail})`;
            const picture = new Image();
            picture.alt = photo.title;
            picture.src = photo.photo;
            picture.onload = () => frame.replaceChildren(picture);
          }
          const ids = new Set(album.photos.map(photo => photo.id));
          for (const [id, shown] of figures) {
            if (!ids.has(id)) { shown.remove(); figures.delete(id); }
          }
        }

        async function update() {
          try {
            const answer = await fetch("/album.json", { signal: AbortSignal.timeout(2000) });
            show(await answer.json());
            answered = Date.now();
          } catch { /* said below */ }
          const silent = Math.round((Date.now() - answered) / 1000);
          document.body.classList.toggle("silent", silent >= 2);
          byId("silence").textContent = `The album has not answered for ${silent} s.`;
          setTimeout(update, 1000);
        }
        update();
        </script>
        </body>
        </html>
        """
}
