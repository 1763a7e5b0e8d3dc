/**
 * Keeps the parts of the page of learning, so that it opens while the server is away. What the server has is always newer: the
 * copies are for when it does not answer.
 */
const COPIES = "tabiya.learn";
const worker = /** @type {any} */ (self);

/** @param {Request} request */
async function answer(request) {
  const copies = await caches.open(COPIES);
  try {
    const response = await fetch(request);
    if (response.ok) await copies.put(request, response.clone());
    return response;
  } catch (error) {
    const copy = await copies.match(request, { ignoreSearch: request.mode === "navigate" });
    if (copy) return copy;
    throw error;
  }
}

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { pathname, origin } = new URL(event.request.url);
  const isPart = event.request.method === "GET" && origin === location.origin && !pathname.startsWith("/api/");
  if (isPart) event.respondWith(answer(event.request));
});
// What the page has loaded before there was a worker.
worker.addEventListener("message", (/** @type {any} */ event) => event.waitUntil(caches.open(COPIES).then((copies) => copies.addAll(event.data))));
