// The engine's own adapter in memory is not among its exports; it is what most people see first, and the fastest there is.
declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  export default class MemoryAdapter {
    constructor(model: string, store: object)
  }
}
declare module 'oidc-provider/lib/helpers/lru.js' {
  export default class Lru {
    constructor(options: { maxSize: number })
  }
}
