// A cache of versioned, immutable values that many nodes keep in step by polling one database.
// Architecture 6: many nodes, no cluster cache.
// Used by domain/snapshot for realms; knows nothing of what it holds.
export {
  createVersionedCache,
  type Versioned,
  type VersionedCache,
  type VersionedCacheOptions,
} from './versioned-cache.ts'
