import {
  addPerson,
  addressIn,
  type Browser,
  createBrowser,
  type MailNode,
  openPage,
  type Page,
  submit,
  type TestRealm,
} from './index.ts'

// The way of somebody who forgot their password, step by step.

export const newPassword = 'a-new-password-nobody-forgets'

export const pathOf = (realm: TestRealm) => `/realms/${realm.realmId}/reset-password`
export const visitor = (realm: TestRealm) => createBrowser(realm.node.url)

/** A fresh realm with somebody of that name in it. */
export async function openRealmWith(mails: MailNode, name: string, settings: Record<string, unknown>) {
  const realm = await mails.openRealm(settings)
  const email = addressIn(realm, name)
  const { userId } = await addPerson(realm, name, { email })
  return { realm, email, userId }
}

export async function ask(realm: TestRealm, username: string, browser = visitor(realm)): Promise<Page> {
  return submit(browser, await openPage(browser, pathOf(realm)), { username })
}

/** The way from the mail to the page that follows the link. */
export async function follow(browser: Browser, link: string): Promise<Page> {
  return submit(browser, await openPage(browser, link))
}

export const choose = (browser: Browser, page: Page, password = newPassword) =>
  submit(browser, page, { newPassword: password, confirmPassword: password })

export const signIn = (realm: TestRealm, username: string, password: string) =>
  visitor(realm).login(realm.realmId, username, password)
