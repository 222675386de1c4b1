/** The version of the interface that we implement, as clients of it expect to read it. */
export const API_VERSION = 'v2.15.2'
export const PRODUCT = 'Aerie'
