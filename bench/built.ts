/** A module as users run it: the loader of the benchmarks makes tight loops several times slower. */
export function built<Module>(path: string): Promise<Module> {
  return import(/* @vite-ignore */ new URL(`../dist/${path}.js`, import.meta.url).href) as Promise<Module>
}
