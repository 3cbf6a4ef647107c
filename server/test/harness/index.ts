// The harness of the HTTP tests: one database and one running service per test process, a fresh realm for every test.
// Architecture 8: real PostgreSQL, real HTTP; isolation between realms is exercised all the time.
export { api, createBrowser, type Browser, type Answer, type RequestOptions } from './browser.ts'
export { createRealmFor, must, type TestRealm, type RealmOptions } from './realm.ts'
export { getNode, startTestNode, type TestNode } from './node.ts'
export {
  authorize,
  type Authorization,
  type AuthorizeOptions,
  basic,
  createClientIn,
  issuerOf,
  readForm,
  redeem,
  redirectUri,
  refresh,
  requestToken,
  signInTo,
  type TestClient,
} from './relying-party.ts'
export { addDevice, createDevice, type TestDevice } from './device.ts'
export { addPerson, addTotp, codesOf, isSignedIn, passPassword, type Person, step } from './people.ts'
export {
  addMailProvider,
  addressIn,
  addTextProvider,
  codeIn,
  findLeaks,
  type Mail,
  type Mailbox,
  type MailNode,
  startMailbox,
  startMailNode,
  startTelephone,
  type Telephone,
} from './mailbox.ts'
export { openPage, type Page, type PageForm, readPage, shapeOf, submit } from './pages.ts'
export {
  answerPage,
  approvalPath,
  beginCiba,
  beginDevice,
  cibaGrant,
  deviceGrant,
  pollCiba,
  pollDevice,
  typeUserCode,
} from './approvals.ts'
