// What stays in this browser alone: objects with an id, by IndexedDB. A private window
// may refuse to keep them; then nothing is kept, and nothing fails.

/** Kept is one collection of objects, in a database of its own. */
export class Kept<T extends { id: string }> {
  private opened?: Promise<IDBDatabase>;

  constructor(
    private readonly database: string,
    private readonly store: string,
  ) {}

  private open(): Promise<IDBDatabase> {
    return (this.opened ??= new Promise((done, failed) => {
      const r = indexedDB.open(this.database, 1);
      r.onupgradeneeded = () => r.result.createObjectStore(this.store, { keyPath: "id" });
      r.onsuccess = () => done(r.result);
      r.onerror = () => failed(r.error);
    }));
  }

  private async run<R>(mode: IDBTransactionMode, work: (s: IDBObjectStore) => IDBRequest<R>): Promise<R> {
    const db = await this.open();
    return new Promise((done, failed) => {
      const r = work(db.transaction(this.store, mode).objectStore(this.store));
      r.onsuccess = () => done(r.result);
      r.onerror = () => failed(r.error);
    });
  }

  all = (): Promise<T[]> => this.run<T[]>("readonly", (s) => s.getAll()).catch(() => []);
  find = (id: string): Promise<T | undefined> => this.run<T | undefined>("readonly", (s) => s.get(id)).catch(() => undefined);
  drop = (id: string): Promise<unknown> => this.run("readwrite", (s) => s.delete(id)).catch(() => {});

  /** put keeps what becomes of an object, given what is kept of it so far, and returns it. */
  async put(id: string, become: (before: T | undefined) => T): Promise<T> {
    const db = await this.open().catch(() => null);
    if (!db) return become(undefined);
    return new Promise((done) => {
      const change = db.transaction(this.store, "readwrite");
      const store = change.objectStore(this.store);
      const before = store.get(id) as IDBRequest<T | undefined>;
      let out: T;
      before.onsuccess = () => store.put((out = become(before.result)));
      change.oncomplete = change.onerror = change.onabort = () => done(out ?? become(undefined));
    });
  }
}
