/**
 * The site without a network: all of it lies in the browser once it was visited. `VERSION` and `FILES` are written before this by
 * scripts/site; another version is fetched beside the old one, and takes its place when no page is open any more.
 */
const CACHE = `tabiya-${VERSION}`;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })))));
});

addEventListener("activate", (event) => {
  const others = async () => {
    for (const name of await caches.keys()) if (name.startsWith("tabiya-") && name !== CACHE) await caches.delete(name);
    await clients.claim();
  };
  event.waitUntil(others());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  // A page is the same whatever it is asked to show.
  const path = request.mode === "navigate" && !url.pathname.endsWith(".html") ? `${url.pathname.replace(/\/$/, "")}/` : url.pathname;
  event.respondWith(caches.open(CACHE).then((cache) => cache.match(path)).then((found) => found ?? fetch(request)));
});
