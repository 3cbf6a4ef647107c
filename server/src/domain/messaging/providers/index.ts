// Messaging providers of a realm: who delivers its mails, texts and push messages.
// Specification part 2 (Messaging provider), contract 2.80-2.83 and 2.111; S45, S51.
// Called under /messaging/providers and by messaging/delivery.
export { exampleProvider, providerRoutes } from './routes.ts'
export { hasProvider, providersSection, type PublicProvider } from './section.ts'
export {
  checkMessagingHealth,
  hasUsableProvider,
  listProviders,
  openProviders,
  recordOutcome,
  secretPlace,
  type UsableProvider,
} from './service.ts'
