/** What is kept in this browser: IndexedDB, a promise at a time. */

/** @type {Promise<IDBDatabase> | null} */
let opened = null;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open("tabiya", 2);
    asked.onupgradeneeded = ({ oldVersion }) => {
      const { result } = asked;
      if (oldVersion < 1) {
        for (const name of ["games", "books", "chapters"]) result.createObjectStore(name, { keyPath: "id" });
        result.createObjectStore("reviews", { keyPath: "key" });
        // The next number, and what the person has done with puzzles.
        result.createObjectStore("others");
      }
      // How endings were answered.
      if (oldVersion < 2) result.createObjectStore("endings", { keyPath: "ending" });
    };
    asked.onsuccess = () => {
      // Another tab with a newer version goes first.
      asked.result.onversionchange = () => {
        asked.result.close();
        opened = null;
      };
      resolve(asked.result);
    };
    asked.onerror = () => reject(asked.error);
  });
  return opened;
}

/** @template T @param {IDBRequest<T>} asked @returns {Promise<T>} */
function done(asked) {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

/** @param {string} store @param {IDBValidKey} key @returns {Promise<any>} */
export async function get(store, key) {
  return done((await open()).transaction(store).objectStore(store).get(key));
}

/** @param {string} store @returns {Promise<any[]>} */
export async function all(store) {
  return done((await open()).transaction(store).objectStore(store).getAll());
}

/**
 * Writes several things at once, or none of them: on the disk when this is answered.
 *
 * @param {{ store: string, key?: IDBValidKey, put?: any, drop?: IDBValidKey }[]} changes
 */
export async function write(changes) {
  const database = await open();
  const names = [...new Set(changes.map(({ store }) => store))];
  const transaction = database.transaction(names, "readwrite", { durability: "strict" });
  for (const { store, key, put, drop } of changes) {
    const kept = transaction.objectStore(store);
    if (drop !== undefined) kept.delete(drop);
    else kept.put(put, key);
  }
  await new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(undefined);
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

/** So many numbers that nothing has yet; the first of them. @param {number} [count] @returns {Promise<number>} */
export async function number(count = 1) {
  const transaction = (await open()).transaction("others", "readwrite");
  const others = transaction.objectStore("others");
  const next = (await done(others.get("next"))) ?? 1;
  await done(others.put(next + count, "next"));
  return next;
}
