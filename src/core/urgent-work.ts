/**
 * What must be possible on a disk that others have filled, the most urgent last: to remove something, to revoke a token or
 * to sign out, and to revoke the key of somebody else.
 */
export type UrgentWork = 'removal' | 'revocation' | 'key-revocation'
