interface Bundler {
  readonly importBundled: (path: string) => Promise<unknown>
}

/** A module as users run it: the loader of the benchmarks makes tight loops several times slower. */
export async function built<Module>(path: string): Promise<Module> {
  const { importBundled } = (await import(new URL('../scripts/bundle.js', import.meta.url).href)) as Bundler
  return (await importBundled(path)) as Module
}
