import type { Rule } from '../rule.ts'
import { WORD_START } from '../rule.ts'
import { isRandom } from '../strength.ts'

/** Beginnings too short to be hints, with what may stand before them. */
const after = (beginnings: readonly string[]): string[] =>
  beginnings.flatMap((beginning) => Array.from('"\'`= :', (before) => before + beginning))

/** Payment, messages, mail, monitoring and other services. */
export const serviceRules: readonly Rule[] = [
  // docs.stripe.com/keys: secret and restricted keys, live and test; secrets of webhooks. `pk_` keys are public.
  {
    name: 'stripe-key',
    hints: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'sk_prod_'],
    pattern: /[sr]k_(?:live|test|prod)_[A-Za-z0-9_]{16,}/,
  },
  { name: 'webhook-secret', hints: ['whsec_'], pattern: /whsec_[A-Za-z0-9+/=_-]{20,}/ },
  // api.slack.com/authentication/token-types; incoming webhooks; session cookies.
  {
    name: 'slack-token',
    hints: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxe', 'xoxc-', 'xoxd-', 'xoxo-'],
    pattern: /xox(?:[abprscdo]-(?:\d-)?|e(?:\.xox[bp]-|-)(?:\d-)?)[A-Za-z0-9%/+=-]{10,}/,
  },
  { name: 'slack-token', hints: ['xapp-', 'xwfp-'], pattern: /x(?:app|wfp)-[A-Za-z0-9-]{16,}/ },
  {
    name: 'slack-webhook',
    hints: ['hooks.slack.com'],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[A-Za-z0-9/_+-]{20,})/,
  },
  // discord.com/developers: the bot's id in base64, a time, a signature; webhooks.
  {
    name: 'discord-token',
    hints: after(['mt', 'mj', 'mz', 'nd', 'nt', 'nj', 'nz', 'od', 'ot']),
    pattern: /["'`= :](?<secret>[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,})/,
  },
  { name: 'discord-webhook', hints: ['/api/webhooks/'], pattern: /\/api\/webhooks\/\d{15,21}\/(?<secret>[A-Za-z0-9_-]{40,})/ },
  // core.telegram.org/bots: the bot's number, a colon, 35 characters that begin with `AA`.
  { name: 'telegram-token', hints: [':aa'], pattern: /(?<=(?<head>\d{8,10})):(?:AA[A-Za-z0-9_-]{32,34})(?![A-Za-z0-9_-])/ },
  { name: 'teams-webhook', hints: ['.webhook.office.com'], pattern: /\.webhook\.office\.com\/webhookb2\/(?<secret>[A-Za-z0-9@/-]{40,})/ },
  // twilio.com/docs: API keys; sendgrid.com; mailgun.com; mailchimp.com; brevo.com; postmark uses UUIDs; resend.com; mailersend.com.
  { name: 'twilio-key', hints: after(['sk']), pattern: /["'`= :](?<secret>SK[a-f0-9]{32})(?![A-Za-z0-9])/ },
  { name: 'sendgrid-key', hints: ['sg.'], pattern: new RegExp(`${WORD_START}SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}`) },
  { name: 'mailgun-key', hints: ['key-'], pattern: new RegExp(`${WORD_START}key-[a-f0-9]{32}(?![A-Za-z0-9])`) },
  { name: 'mailchimp-key', hints: ['-us'], pattern: /(?<=(?<![A-Za-z0-9])(?<head>[a-f0-9]{32}))-us\d{1,2}(?![A-Za-z0-9])/ },
  { name: 'brevo-key', hints: ['xkeysib-', 'xsmtpsib-'], pattern: /x(?:key|smtp)sib-[a-f0-9]{40,}-[A-Za-z0-9]{12,}/ },
  {
    name: 'resend-key',
    hints: ['re_'],
    pattern: new RegExp(`${WORD_START}re_[A-Za-z0-9]{8}_[A-Za-z0-9]{16,}`),
    check: (secret) => /\d/.test(secret) && /[A-Z]/.test(secret),
  },
  { name: 'mailersend-key', hints: ['mlsn.'], pattern: /mlsn\.[a-f0-9]{40,}/ },
  // Shops and payments: Square, Shopify, PayPal/Braintree, Plaid, Flutterwave, Razorpay, EasyPost, Shippo, Duffel.
  {
    name: 'square-token',
    hints: ['sq0atp-', 'sq0csp-', 'sq0idp-', 'eaaa'],
    pattern: new RegExp(`${WORD_START}(?:sq0(?:atp|csp)-[A-Za-z0-9_-]{20,}|EAAA[A-Za-z0-9_-]{60}(?![A-Za-z0-9+/_-]))`),
  },
  { name: 'shopify-token', hints: ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shpua_'], pattern: /shp(?:at|ca|pa|ss|ua)_[A-Fa-f0-9]{24,}/ },
  {
    name: 'braintree-token',
    hints: ['access_token$production$', 'access_token$sandbox$'],
    pattern: /access_token\$(?:production|sandbox)\$[a-z0-9]{10,}\$[a-f0-9]{24,}/,
  },
  {
    name: 'plaid-token',
    hints: ['access-sandbox-', 'access-production-', 'access-development-'],
    pattern: /access-(?:sandbox|production|development)-[a-f0-9-]{30,}/,
  },
  { name: 'flutterwave-key', hints: ['flwseck'], pattern: /FLWSECK(?:_TEST|_PROD)?-[A-Za-z0-9-]{12,}/ },
  { name: 'razorpay-key', hints: ['rzp_live_', 'rzp_test_'], pattern: /rzp_(?:live|test)_[A-Za-z0-9]{14,}/ },
  { name: 'easypost-key', hints: ['ezak', 'eztk'], pattern: new RegExp(`${WORD_START}EZ[AT]K[A-Za-z0-9]{40,}`) },
  { name: 'shippo-token', hints: ['shippo_'], pattern: /shippo_(?:live|test)_[A-Za-z0-9]{30,}/ },
  { name: 'duffel-token', hints: ['duffel_'], pattern: /duffel_(?:live|test)_[A-Za-z0-9_=-]{30,}/ },
  // Monitoring and analytics: Grafana, New Relic, Sentry, Dynatrace, PostHog, Datadog (by its variable only), Honeycomb.
  {
    name: 'grafana-token',
    hints: ['glc_', 'glsa_', 'eyjrijoi'],
    pattern: new RegExp(`${WORD_START}(?:glc_[A-Za-z0-9+/=]{30,}|glsa_[A-Za-z0-9]{24,}(?:_[a-f0-9]{8})?|eyJrIjoi[A-Za-z0-9+/=]{40,})`),
  },
  {
    name: 'newrelic-key',
    hints: ['nrak-', 'nraa-', 'nrii-', 'nrjs-', 'nral'],
    pattern: /NR(?:AK|AA|II|JS)-[A-Za-z0-9_-]{18,}|[a-f0-9]{36}NRAL/,
  },
  { name: 'sentry-token', hints: ['sntrys_', 'sntryu_', 'sntrya_'], pattern: /sntry[sua]_[A-Za-z0-9+/=_-]{30,}/ },
  { name: 'dynatrace-token', hints: ['dt0c01.', 'dt0s'], pattern: /dt0[a-z]\d\d\.[A-Za-z0-9]{20,}\.[A-Za-z0-9]{40,}/ },
  { name: 'posthog-key', hints: ['phx_'], pattern: new RegExp(`${WORD_START}phx_[A-Za-z0-9]{32,}`) },
  { name: 'honeycomb-key', hints: ['hcaik_', 'hcbik_', 'hcxik_'], pattern: /hc[abx][il]k_[a-z0-9]{32,}/ },
  // Work: Notion, Linear, Figma, Airtable, Asana, HubSpot, Postman, Typeform, Contentful, LaunchDarkly, Algolia (by name), Okta (by name).
  {
    name: 'notion-token',
    hints: ['ntn_', 'secret_'],
    pattern: new RegExp(`${WORD_START}(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{40,})`),
    check: (secret) => /\d/.test(secret),
  },
  { name: 'linear-key', hints: ['lin_api_', 'lin_oauth_'], pattern: /lin_(?:api|oauth)_[A-Za-z0-9]{30,}/ },
  { name: 'figma-token', hints: ['figd_', 'figo_', 'figu_'], pattern: /fig[dou]h?_[A-Za-z0-9_-]{30,}/ },
  { name: 'airtable-token', hints: ['pat'], pattern: new RegExp(`${WORD_START}pat[A-Za-z0-9]{14}\\.[a-f0-9]{40,}`) },
  { name: 'hubspot-token', hints: ['pat-na', 'pat-eu'], pattern: /pat-(?:na|eu)\d-[a-f0-9-]{30,}/i },
  { name: 'postman-key', hints: ['pmak-'], pattern: /PMAK-[a-f0-9]{24}-[a-f0-9]{30,}/ },
  { name: 'typeform-token', hints: ['tfp_'], pattern: /tfp_[A-Za-z0-9_.=-]{40,}/ },
  { name: 'contentful-token', hints: ['cfpat-'], pattern: /CFPAT-[A-Za-z0-9_-]{40,}/ },
  {
    name: 'launchdarkly-key',
    hints: ['sdk-', 'api-'],
    pattern: new RegExp(`${WORD_START}(?:sdk|api)-[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[a-f0-9]{4}-[a-f0-9]{12}`),
  },
  { name: 'readme-key', hints: ['rdme_'], pattern: /rdme_[a-z0-9]{60,}/ },
  { name: 'prefect-key', hints: ['pnu_', 'pnb_'], pattern: new RegExp(`${WORD_START}pn[ub]_[A-Za-z0-9]{30,}`) },
  { name: 'frameio-token', hints: ['fio-u-'], pattern: /fio-u-[A-Za-z0-9_=-]{50,}/ },
  {
    name: 'facebook-token',
    hints: Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => `eaa${letter}`),
    pattern: new RegExp(`${WORD_START}EAA[A-Z][A-Za-z0-9]{80,}(?![A-Za-z0-9+/])`),
  },
  { name: 'adobe-secret', hints: ['p8e-'], pattern: new RegExp(`${WORD_START}p8e-[A-Za-z0-9_-]{28,}`) },
  { name: 'zapier-webhook', hints: ['hooks.zapier.com'], pattern: /hooks\.zapier\.com\/hooks\/catch\/(?<secret>[A-Za-z0-9/]{10,})/ },
  // Firebase's old server keys, Dropbox.
  { name: 'firebase-key', hints: [':apa91'], pattern: /(?<=(?<head>AAAA[A-Za-z0-9_-]{7})):APA91[A-Za-z0-9_-]{60,}/ },
  { name: 'dropbox-token', hints: ['sl.'], pattern: new RegExp(`${WORD_START}sl\\.(?:u\\.)?[A-Za-z0-9_-]{60,}`) },
  // Payment with prefixes of their own (Mollie, GoCardless, Chargebee; Paddle; Klarna; Adyen), mail and chat (Klaviyo, OneSignal, Matrix).
  {
    name: 'payment-key',
    hints: ['live_', 'test_'],
    pattern: new RegExp(`${WORD_START}(?:live|test)_[A-Za-z0-9]{28,}`),
    check: (secret) => isRandom(secret.slice(5), 28),
  },
  { name: 'paddle-key', hints: ['pdl_'], pattern: /pdl_(?:live|sdbx)_apikey_[A-Za-z0-9_]{20,}/ },
  { name: 'klarna-key', hints: ['klarna_'], pattern: /klarna_(?:live|test)_api_[A-Za-z0-9+/=]{20,}/ },
  {
    name: 'adyen-key',
    hints: ['aqe'],
    pattern: new RegExp(`${WORD_START}AQE[A-Za-z0-9]{1,10}[a-z0-9+/]{20,}={0,2}-[A-Za-z0-9+/]{20,}={0,2}-[A-Za-z0-9+/<>=.()%*&]{8,}`),
  },
  { name: 'klaviyo-key', hints: ['pk_'], pattern: new RegExp(`${WORD_START}pk_[a-f0-9]{34}(?![A-Za-z0-9])`) },
  { name: 'onesignal-key', hints: ['os_v2_'], pattern: /os_v2_(?:app|org)_[a-z0-9]{40,}/ },
  { name: 'matrix-token', hints: ['syt_'], pattern: new RegExp(`${WORD_START}syt_[A-Za-z0-9+/=]{4,}_[A-Za-z0-9]{16,}_[A-Za-z0-9]{4,8}`) },
  // Twitch, Pushbullet, ntfy.
  { name: 'twitch-token', hints: ['oauth:'], pattern: /oauth:(?<secret>[a-z0-9]{30})(?![a-z0-9])/ },
  { name: 'pushbullet-token', hints: after(['o.']), pattern: /["'`= :]o\.(?<secret>[A-Za-z0-9]{32})(?![A-Za-z0-9])/ },
  { name: 'ntfy-token', hints: ['tk_'], pattern: new RegExp(`${WORD_START}tk_[a-z0-9]{29}(?![a-z0-9])`) },
]
