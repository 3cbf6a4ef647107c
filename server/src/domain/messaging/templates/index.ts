// Message templates: what messages say, in four languages of ours and in whatever a realm writes itself.
// Specification part 2 (Message template), contract 2.84, 2.85 and 2.111; S47.
// Called under /messaging/templates and by messaging/delivery, which renders them.
export { chooseTemplate, type ChosenTemplate } from './choose.ts'
export { isTemplateKey, type TemplateKey, templateChannels, templateKeys } from './keys.ts'
export { placeholdersOf, type PlaceholderValues } from './placeholders.ts'
export { renderMessage, type RenderedMessage } from './render.ts'
export { templateRoutes } from './routes.ts'
export { templatesSection } from './section.ts'
export { describeTest, lookOf, nameOf } from './service.ts'
