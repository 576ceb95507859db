/** A queue of one: each job starts when the one before it has ended, well or badly. */
export function serial(): <T>(job: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const next = last.then(job);
    last = next.catch(() => undefined);
    return next;
  };
}
