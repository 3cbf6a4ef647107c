// Messages to people by mail, text and push: providers and templates of a realm, and their delivery.
// Specification part 2 (Messaging provider, Message template) and part 4 (Messaging), contract 2.80-2.86, 2.111, 5.7.
// queueMessage is called by whatever tells people something; its routes are in the folders below.
export { isMailbox } from './addresses.ts'
export type { Channel, Driver } from './channels.ts'
export { messagingContribution } from './contribution.ts'
export { allowMessage, type NewMessage, queueMessage, queuePush } from './delivery/index.ts'
export { exampleProvider, hasProvider, providersSection } from './providers/index.ts'
export { type TemplateKey, templatesSection } from './templates/index.ts'
