// What the hash chain of the audit trail proves, as plain arithmetic: content, links, seals and their signatures.
// Contract 6.6; RFC 8785 (canonical JSON), RFC 8032 (Ed25519), RFC 7638 (key ids).
// Called by the chain on the server and by `gatehouse audit verify`, which has no database; it must stay light.
export type { EventContent } from './content.ts'
export {
  type BreakReason,
  checkLink,
  firstHash,
  firstIdPast,
  latestMs,
  type Link,
  linkHash,
  type Place,
} from './links.ts'
export {
  isSealSigned,
  isSigned,
  keyIdOf,
  type Manifest,
  manifestText,
  type PublicJwk,
  readPublicJwk,
  type Seal,
  sealText,
  type SignedSeal,
  signText,
  type TrustedKeys,
} from './signatures.ts'
