/** The size of a file, for people. */
export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
