/**
 * One line for every kind of secret that the rules know, to try each rule with other values every time. What stands between ⟦ and ⟧ must
 * go. `{b20}` stands for twenty characters of an alphabet, so that no scanner takes this file for a leak.
 */
const ALPHABETS: Readonly<Record<string, string>> = {
  a: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  w: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_',
  s: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/',
  l: 'abcdefghijklmnopqrstuvwxyz0123456789',
  u: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  h: '0123456789abcdef',
  d: '0123456789',
}

export interface Example {
  readonly text: string
  readonly secrets: readonly string[]
}

/** A line of `SAMPLES` with its values made up. @param random a number from 0 to below 1, another one each time. */
export function example(template: string, random: () => number): Example {
  const marked = template
    .replaceAll('{uuid}', '{h8}-{h4}-4{h3}-a{h3}-{h12}')
    .replace(/\{([a-z])(\d+)\}/g, (_, kind: string, length: string) => madeUp(ALPHABETS[kind]!, Number(length), random))
    .replaceAll('↵', '\n')
    .replaceAll('⇥', '\t')
  return { text: marked.replace(/[⟦⟧]/g, ''), secrets: Array.from(marked.matchAll(/⟦([^⟧]*)⟧/g), (match) => match[1]!) }
}

/** Never a value without a digit, a small letter and a capital where the alphabet has them: one in thousands is, and looks like a word. */
function madeUp(alphabet: string, length: number, random: () => number): string {
  const characters = Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]!)
  for (const [place, kind] of [/\d/, /[a-z]/, /[A-Z]/].entries()) {
    const known = Array.from(alphabet).filter((character) => kind.test(character))
    if (length >= 8 && known.length > 0) characters[place * 2 + 1] = known[Math.floor(random() * known.length)]!
  }
  return characters.join('')
}

/** `↵` and `⇥` are a line break and a tab. */
export const SAMPLES: readonly string[] = String.raw`
AWS_ACCESS_KEY_ID=⟦AKIA{u16}⟧
aws configure set aws_secret_access_key ⟦{s40}⟧
aws_secret_access_key=⟦{s40}⟧
AWS Secret Access Key [None]: ⟦{s40}⟧
"SessionToken": "⟦IQoJb3JpZ2luX2Vj{s200}==⟧"
credentials: new AWS.Credentials('⟦AKIA{u16}⟧', '⟦{s40}⟧')
boto3.client('s3', aws_access_key_id='⟦ASIA{u16}⟧', aws_secret_access_key='⟦{a40}⟧')
| secret | ⟦{s40}⟧ |
"private_key_id": "{h40}", "private_key": "-----BEGIN PRIVATE KEY-----\n⟦MIIEvQIBADANBgkqhkiG9w0BAQEFAASC{s32}⟧\n⟦{s64}⟧\n⟦{s40}==⟧\n-----END PRIVATE KEY-----\n"
gcloud auth: access token ⟦ya29.a0{w120}⟧
AZURE_CLIENT_SECRET=⟦abc8Q~{w34}⟧
AZURE_DEVOPS_EXT_PAT=⟦{l52}⟧
az login --service-principal -u {uuid} -p ⟦{a34}⟧ --tenant {uuid}
Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=⟦{s43}=⟧
APPLICATIONINSIGHTS_CONNECTION_STRING=InstrumentationKey=⟦{uuid}⟧;IngestionEndpoint=https://x
api_key="⟦sk-{a48}⟧"
openai.api_key = '⟦sk-proj-{w100}⟧'
export GEMINI_API_KEY=⟦AIza{w35}⟧
x-goog-api-key: ⟦AIza{w35}⟧
TOGETHER_API_KEY=⟦{h64}⟧
COHERE_API_KEY=⟦{a40}⟧
HF_TOKEN=⟦hf_{a34}⟧
--header "api-key: ⟦{h32}⟧"
MISTRAL_API_KEY = "⟦{a32}⟧"
WANDB_API_KEY=⟦{h40}⟧
wandb login ⟦{h40}⟧
git remote set-url origin https://x-access-token:⟦ghs_{a36}⟧@github.com/a/b.git
git clone https://⟦ghp_{a36}⟧@github.com/a/b
remote: https://oauth2:⟦glpat-{w20}⟧@gitlab.com/a/b.git
glpat: ⟦glpat-{w20}⟧
CI_JOB_TOKEN=⟦{w20}⟧
gitlab runner registration token is ⟦GR1348941{w20}⟧
BITBUCKET_APP_PASSWORD=⟦ATBB{a32}⟧
//registry.npmjs.org/:_authToken=⟦npm_{a36}⟧
//registry.npmjs.org/:_authToken=⟦{uuid}⟧
TWINE_PASSWORD=⟦pypi-AgEIcHlwaS5vcmc{w120}⟧
[pypi]\n  username = __token__\n  password = ⟦pypi-AgEIcHlwaS5vcmc{w120}⟧
cargo login ⟦cio{a32}⟧
<packageSourceCredentials><add key="ClearTextPassword" value="⟦{a20}⟧" /></packageSourceCredentials>
nuget push a.nupkg -ApiKey ⟦oy2{l43}⟧
gem push --key x; :rubygems_api_key: ⟦rubygems_{h48}⟧
curl -X POST -H 'Content-type: application/json' https://hooks.slack.com/services/⟦T{u8}/B{u8}/{a24}⟧
SLACK_BOT_TOKEN=⟦xoxb-{d12}-{d12}-{a24}⟧
slack signing secret: ⟦{h32}⟧
SLACK_SIGNING_SECRET=⟦{h32}⟧
STRIPE_SECRET_KEY=⟦sk_live_{a24}⟧
stripe.api_key = "⟦rk_live_{a24}⟧"
--webhook-secret ⟦whsec_{a32}⟧
PAYPAL_CLIENT_SECRET=⟦E{w79}⟧
DISCORD_TOKEN=⟦MTE{a21}.G{a5}.{w38}⟧
client.login('⟦MTE{a21}.G{a5}.{w38}⟧');
Authorization: Bot ⟦MTE{a21}.G{a5}.{w38}⟧
https://discord.com/api/webhooks/{d18}/⟦{w68}⟧
TWILIO_AUTH_TOKEN=⟦{h32}⟧
const client = twilio('AC{h32}', '⟦{h32}⟧')
curl -s --user 'api:⟦key-{h32}⟧' https://api.mailgun.net
MAILCHIMP_API_KEY=⟦{h32}-us14⟧
MG_KEY=⟦{h32}-{h8}-{h8}⟧
DD_API_KEY=⟦{h32}⟧ DD_APP_KEY=⟦{h40}⟧
datadog: { api_key: ⟦{h32}⟧ }
NEW_RELIC_LICENSE_KEY=⟦{h36}NRAL⟧
SENTRY_DSN=https://{h32}:⟦{h32}⟧@o1.ingest.sentry.io/2
CLOUDFLARE_API_TOKEN=⟦{w40}⟧
X-Auth-Key: ⟦{h37}⟧
doctl auth init -t ⟦dop_v1_{h64}⟧
HEROKU_API_KEY=⟦{uuid}⟧
flyctl auth: FLY_API_TOKEN="FlyV1 ⟦fm2_{s120}⟧"
VERCEL_TOKEN=⟦{a24}⟧
NETLIFY_AUTH_TOKEN=⟦nfp_{a36}⟧
SUPABASE_SERVICE_ROLE_KEY=⟦eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{w80}.{w43}⟧
vault login ⟦hvs.{w24}⟧
export VAULT_TOKEN=⟦s.{a24}⟧
Root Token: ⟦hvs.{w24}⟧
Unseal Key 1: ⟦{s43}=⟧
tskey: ⟦tskey-auth-{a12}-{a32}⟧
databricks configure --token ⟦dapi{h32}⟧
pulumi login; PULUMI_ACCESS_TOKEN=⟦pul-{h40}⟧
kubeadm join 10.0.0.1:6443 --token ⟦{l6}.{l16}⟧ --discovery-token-ca-cert-hash sha256:{h64}
docker swarm join --token ⟦SWMTKN-1-{l50}-{l25}⟧ 10.0.0.1:2377
    token: ⟦eyJhbGciOiJSUzI1NiIsImtpZCI6IiJ9.eyJ{w200}.{w342}⟧
postgresql://admin:⟦p@ss%2Fw0rd⟧@localhost/db
mongodb+srv://root:⟦{a16}⟧@cluster0.x.mongodb.net/?retryWrites=true
amqp://guest:⟦Gu3stpw⟧@mq:5672/
mysql://root:⟦toor⟧@127.0.0.1:3306/app
sqlalchemy.url = postgresql+psycopg2://svc:⟦{a12}⟧@db/app
ftp://anonymous:⟦Frog_9⟧@ftp.x.org
smtp://user%40x.org:⟦{a14}⟧@smtp.x.org:587
jdbc:oracle:thin:scott/⟦t1ger_X⟧@//db:1521/x
Server=tcp:x.database.windows.net;User ID=sa;Password=⟦Str0ng{a6}!⟧;Encrypt=True
"ConnectionStrings": { "Default": "Host=db;Username=app;Password=⟦{a14}⟧" }
redis-cli -h r -a ⟦{a16}⟧ ping
REDIS_URL=rediss://default:⟦{a32}⟧@r.upstash.io:6379
Authorization: Basic ⟦dXNlcjpoVW50ZXIyIQ==⟧
authorization: bearer ⟦{a40}⟧
-H "Authorization: token ⟦{h40}⟧"
headers={"Authorization": f"Token ⟦{h40}⟧"}
proxy-authorization: Basic ⟦dXNlcjpoVW50ZXIyIQ==⟧
Authorization: Digest username="u", realm="r", nonce="x", response="⟦{h32}⟧"
Authorization: ⟦{a40}⟧
Authorization: ApiKey ⟦{a40}⟧
req.headers['x-api-key'] = '⟦{a32}⟧'
X-Gitlab-Token: ⟦{a20}⟧
X-Shopify-Access-Token: ⟦shpat_{h32}⟧
PRIVATE-TOKEN: ⟦{a20}⟧
Set-Cookie: session=⟦{a40}⟧; Path=/; HttpOnly
Cookie: _ga=GA1.2.3.4; sessionid=⟦{l32}⟧; csrftoken=⟦{a32}⟧
document.cookie = "auth=⟦{a40}⟧"
curl --cookie "JSESSIONID=⟦{u32}⟧" http://x
APP_KEY=base64:⟦{s43}=⟧
RAILS_MASTER_KEY=⟦{h32}⟧
SECRET_KEY_BASE=⟦{h128}⟧
SECRET_KEY = 'django-insecure-⟦{w50}⟧'
JWT_SECRET=⟦my-super-jwt-s1gning⟧
ENCRYPTION_KEY=⟦{h64}⟧
PASSWORD_SALT=⟦{a22}⟧
DB_PASS=⟦letmein⟧
POSTGRES_PASSWORD: ⟦pgLocal55⟧
MYSQL_PASSWORD=⟦wrenny⟧
- MINIO_ROOT_PASSWORD=⟦minio_Admin1⟧
  GRAFANA_ADMIN_PASSWORD: "⟦gr4fana!⟧"
SMTP_PASSWORD='⟦abcd efgh ijkl mnop⟧'
docker run -e POSTGRES_PASSWORD=⟦devpw1⟧ postgres
Environment="API_TOKEN=⟦{a30}⟧"
$Env:CLIENT_SECRET="⟦{a30}⟧"
set PGPASSWORD=⟦Wren!55⟧
fish: set -x API_TOKEN ⟦{a30}⟧
spring.datasource.password=⟦Wren55x⟧
  password: ⟦correct-horse-7⟧
password: '⟦Wr3n''s⟧'
pass: ⟦Tit4nium⟧
"adminPassword": "⟦Adm1n!x⟧"
{\"password\":\"⟦Wren!55⟧\"}
<Password>⟦Wren!55⟧</Password>
<property name="password" value="⟦Wren!55⟧"/>
<key>APIToken</key>\n<string>⟦{a30}⟧</string>
ansible_become_pass: ⟦Wren!55⟧
ansible_ssh_pass=⟦Wren!55⟧
master_password => '⟦Wren!55⟧'
requirepass ⟦foobared9⟧
masterauth ⟦foobared9⟧
rpcpassword=⟦Wren!55⟧
wpa_passphrase=⟦Wren!55x⟧
sshpass -p⟦Wren!55⟧ ssh a@b
mysqldump -uroot -p'⟦Wren!55⟧' db
mysql --user=root --password=⟦wrenmoss⟧
psql "host=x user=y password=⟦Wren!55⟧"
mongo -u admin -p ⟦Wren!55⟧ --authenticationDatabase admin
vault kv put secret/app password=⟦Wren!55⟧
kubectl create secret generic x --from-literal=api-key=⟦{a24}⟧
kubectl create secret docker-registry r --docker-username=u --docker-password=⟦Wren!55⟧
helm install x --set auth.password=⟦Wren!55⟧
gh auth login --with-token <<< ⟦{h40}⟧
echo ⟦{h40}⟧ | gh auth login --with-token
echo "⟦Wren!55⟧" | docker login -u x --password-stdin
htpasswd -nb admin ⟦Wren!55⟧
useradd -m dev && echo 'dev:⟦Wren!55⟧' | chpasswd
openssl enc -aes-256-cbc -k ⟦Wren!55⟧ -in a
gpg --batch --passphrase ⟦Wren!55⟧ -d x
zip -P ⟦Wren!55⟧ a.zip b
7z x -p⟦Wren!55⟧ a.7z
ldapsearch -x -D cn=admin -w ⟦Wren!55⟧
smbclient //nas/x -U dev%⟦Wren!55⟧
wget --http-password=⟦Wren!55⟧ https://x
http -a dev:⟦Wren!55⟧ https://x
curl -udev:⟦Wren!55⟧ https://x
curl --proxy-user dev:⟦Wren!55⟧ https://x
ssh-keygen -t rsa -N '⟦Wren!55 x⟧' -f k
nmcli dev wifi connect Home password "⟦Wren!55⟧"
xfreerdp /u:dev /p:⟦Wren!55⟧ /v:host
net user dev ⟦Wren!55⟧ /add
runas /user:x\dev; cmdkey /add:srv /user:dev /pass:⟦Wren!55⟧
CREATE USER app WITH ENCRYPTED PASSWORD '⟦Wren!55⟧';
ALTER ROLE app PASSWORD '⟦Wren55x⟧';
SET PASSWORD FOR 'x'@'%' = PASSWORD('⟦Wren55x⟧');
INSERT INTO users(name,password) VALUES('ada','⟦Wren!55⟧');
GRANT ALL ON *.* TO 'x'@'%' IDENTIFIED BY '⟦Wren55x⟧'
machine api.x.org login u password ⟦Wren55x⟧
localhost:5432:*:app:⟦Wren55x⟧
db.x.org:*:app:app:⟦Wren55x⟧
https://dev:⟦Wren55x⟧@git.x.org
the password is ⟦Wren!55⟧
password is "⟦Wren55x⟧"
Password = ⟦Wren55x⟧
use ⟦Wren55x⟧ as the password
username: admin / password: ⟦Wren55x⟧
login with admin / ⟦Wren!55⟧
login: admin:⟦Wren!55⟧
credentials are admin:⟦Wren55x⟧
user admin, pw ⟦Wren55x⟧
pw for the test server: ⟦Wren55x⟧
The API key is ⟦{a32}⟧.
here's my token ⟦{a32}⟧ please use it
here is the key: ⟦{a32}⟧
my openai key: ⟦sk-{a40}⟧
pin is 4821 and the passphrase is "⟦blue horse lamp desk⟧"
Passwort lautet ⟦Wren!55⟧
das Passwort: ⟦Wren55x⟧
Kennwort: ⟦Wren55x⟧
le mot de passe est ⟦Wren55x⟧
la clave es ⟦Wren55x⟧
密码是⟦Wren55x⟧
密码为 ⟦Wren55x⟧
パスワードは⟦Wren55x⟧です
пароль: ⟦Wren55x⟧
recovery code: ⟦{u5}-{u5}-{u5}⟧
seed phrase: ⟦witch collapse practice feed shame open despair creek road again ice least⟧
mnemonic = "⟦witch collapse practice feed shame open despair creek road again ice least⟧"
TOTP secret ⟦{u16}⟧
otpauth://totp/x:dev?secret=⟦JBSWY3DPEHPK3PXP⟧&issuer=x
const apiKey = "⟦{a32}⟧";
apiKey: '⟦{a32}⟧',
let password = "⟦Wren!55⟧"
String pwd = "⟦Wren!55⟧";
private const val TOKEN = "⟦{a32}⟧"
auth=("dev", "⟦Wren!55⟧")
requests.get(url, auth=HTTPBasicAuth('dev', '⟦Wren!55⟧'))
connect(host="x", user="y", passwd="⟦Wren!55⟧")
if (password === "⟦Wren!55⟧") {
password.equals("⟦Wren!55⟧")
if token == '⟦{a32}⟧':
sign(payload, '⟦{a32}⟧')
crypto.createCipheriv('aes-256-cbc', '⟦{a32}⟧', iv)
Fernet(b'⟦{w43}=⟧')
sendKeys("⟦Wren!55⟧") # password
driver.find_element(By.ID, "password").send_keys("⟦Wren!55⟧")
await page.type('#password', '⟦Wren!55⟧')
cy.get('[name=password]').type('⟦Wren!55⟧')
process.env.API_KEY = '⟦{a32}⟧'
os.environ["API_KEY"] = "⟦{a32}⟧"
os.environ.setdefault('SECRET_KEY', '⟦{a32}⟧')
process.env.API_KEY || '⟦{a32}⟧'
getenv("API_KEY", "⟦{a32}⟧")
API_KEY = os.getenv("API_KEY") or "⟦{a32}⟧"
System.setProperty("javax.net.ssl.keyStorePassword", "⟦changeit9x⟧");
?api_key=⟦{a32}⟧&x=1
https://x.org/reset?token=⟦{a32}⟧
https://x.org/callback?code=⟦{a32}⟧&state=1
https://maps.x.org/api?key=⟦AIza{w35}⟧
https://x.blob.core.windows.net/c?sv=2022&sig=⟦{s43}%3D⟧
https://x.org/#access_token=⟦{a40}⟧&token_type=bearer
POST /oauth/token grant_type=refresh_token&refresh_token=⟦{a40}⟧
{"access_token":"⟦{a40}⟧","refresh_token":"⟦{a40}⟧","id_token":"⟦eyJ{w30}.eyJ{w40}.{w43}⟧"}
"accessToken": "⟦{w60}⟧"
"client_secret": "⟦{w24}⟧"
"cookies": [{"name": "session", "value": "⟦{a40}⟧"}]
"d": "⟦{w43}⟧", "kty": "EC"
AGE-SECRET-KEY-1⟦{u58}⟧
PrivateKey = ⟦{s43}=⟧
PresharedKey = ⟦{s43}=⟧
bot token ⟦{d10}:AA{w33}⟧
"token":"⟦{d10}:AA{w33}⟧"
figma ⟦figd_{w40}⟧ linear ⟦lin_api_{a40}⟧ notion ⟦secret_{a43}⟧
postman ⟦PMAK-{h24}-{h34}⟧
\u001b[32mtoken: ⟦ghp_{a36}⟧\u001b[0m
export TOKEN=⟦{a32}⟧\nexport OTHER=1
+API_KEY=⟦{a32}⟧
-    token: "⟦{a32}⟧"
12:  api_key: ⟦{a32}⟧
> TOKEN=⟦{a32}⟧
env | grep TOKEN → TOKEN=⟦{a32}⟧
TOKEN=⟦{a32}⟧ node x.js
token=⟦{a32}⟧
"token": "⟦{a32}⟧"
'X-API-KEY': '⟦{a32}⟧'
X_API_KEY=⟦{a32}⟧
sonar.login=⟦{h40}⟧
-Dsonar.login=⟦{h40}⟧
NPM_CONFIG__AUTH=⟦{s40}=⟧
_auth=⟦dXNlcjpoVW50ZXIyIQ==⟧
npm config set //r/:_password "⟦V3JlbiE1NQ==⟧"
composer config http-basic.x.org dev ⟦{a24}⟧
poetry config pypi-token.pypi ⟦pypi-AgEIcHlwaS5vcmc{w60}⟧
poetry config http-basic.x dev ⟦Wren!55⟧
pip install --index-url https://u:⟦Wren55x⟧@pypi.x.org/simple
gho_ token ⟦gho_{a36}⟧ and ⟦github_pat_{a22}_{a59}⟧
⟦ATATT3xFf{w180}⟧
⟦npm_{a36}⟧
⟦rubygems_{h48}⟧ ⟦CLOJARS_{h60}⟧ ⟦packagist_ack_{h60}⟧
key ⟦oy2{l43}⟧
⟦dckr_pat_{w27}⟧
jfrog ⟦AKCp{a69}⟧
⟦sgp_{h40}⟧ ⟦bkua_{h40}⟧ ⟦ccipat_{a22}_{h40}⟧ ⟦sqp_{h40}⟧ ⟦snyk_uat.{h8}.{w40}⟧
⟦sk-ant-api03-{w93}AA⟧ ⟦sk-or-v1-{h64}⟧ ⟦AQ.Ab{w50}⟧
⟦gsk_{a52}⟧ ⟦xai-{a80}⟧ ⟦r8_{a37}⟧ ⟦pplx-{a48}⟧ ⟦fw_{a24}⟧ ⟦csk-{l48}⟧ ⟦nvapi-{w64}⟧ ⟦pa-{w43}⟧ ⟦jina_{h32}{a28}⟧
⟦lsv2_pt_{h32}_{h10}⟧ ⟦sk-lf-{uuid}⟧ ⟦pcsk_{a40}_{a20}⟧ ⟦sk_{h48}⟧ ⟦tvly-{a32}⟧ ⟦tgp_v1_{w43}⟧ ⟦fc-{h32}⟧ ⟦e2b_{h40}⟧
⟦rpa_{u40}⟧ ⟦esecret_{a24}⟧ ⟦ak-{a22}⟧ ⟦bce-v3/ALTAK-{a21}/{h40}⟧ ⟦BSA{w28}⟧
⟦AKIA{u16}⟧,⟦{s40}⟧
FwoG ⟦FwoGZXIvYXdzE{s120}⟧ ⟦ABSK{s100}==⟧ ⟦amzn.mws.{uuid}⟧ ⟦da2-{l26}⟧
⟦1//0{w60}⟧ ⟦GOCSPX-{w28}⟧ ⟦GOOG1E{u40}⟧ ⟦4/0A{w60}⟧ ⟦ewogICJ0eXBlIjogInNlcnZpY2VfYWNjb3VudC{s80}⟧
{"keyName": "key1", "permissions": "FULL", "value": "⟦{s86}==⟧"}
⟦cfut_{a40}{h8}⟧ ⟦v1.0-{h24}-{h146}⟧ ⟦LTAI{a20}⟧ ⟦AKID{a32}⟧ ⟦y0_{w58}⟧
⟦HRKU-{w60}⟧ ⟦fo1_{w43}⟧ ⟦vcp_{a24}⟧ ⟦nfp_{a36}⟧ ⟦rnd_{a32}⟧ ⟦sbp_{h40}⟧ ⟦napi_{l60}⟧ ⟦pscale_tkn_{w43}⟧ ⟦dapi{h32}⟧
⟦{a14}.atlasv1.{w67}⟧ ⟦pul-{h40}⟧ ⟦dp.pt.{a43}⟧ ⟦ops_eyJ{s250}⟧ ⟦4b1d{a38}⟧ ⟦ico-{a32}⟧ ⟦tk-us-{w48}⟧ ⟦sha256~{w43}⟧
⟦K10{h64}::server:{h32}⟧ ⟦token-{l5}:{l54}⟧ ⟦st.{h24}.{h32}.{h32}⟧
⟦dnsimple_a_{a32}⟧ ⟦ddp_{a36}⟧ ⟦AVNS_{w19}⟧ ⟦essu_{s60}⟧ ⟦mdb_sa_sk_{w40}⟧ ⟦akab-{l16}-{l16}⟧ ⟦hbp_{a36}⟧ ⟦xaat-{uuid}⟧ ⟦SCW{u17}⟧
⟦xapp-1-{u11}-{d13}-{h64}⟧
https://x.webhook.office.com/webhookb2/⟦{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}⟧
key="⟦SK{h32}⟧" ⟦SG.{w22}.{w43}⟧ ⟦xkeysib-{h64}-{a16}⟧ ⟦re_{a8}_{a24}⟧ ⟦mlsn.{h64}⟧
⟦sq0atp-{w22}⟧ ⟦access_token$production${'$'}{l16}${'$'}{h32}⟧ ⟦access-sandbox-{uuid}⟧ ⟦FLWSECK-{a32}-X⟧ ⟦rzp_live_{a14}⟧ ⟦EZAK{a54}⟧ ⟦shippo_live_{h40}⟧ ⟦duffel_test_{w43}⟧
⟦glc_{s60}⟧ ⟦NRAK-{u27}⟧ ⟦sntrys_eyJ{s80}_{s43}⟧ ⟦dt0c01.{u24}.{u64}⟧ ⟦phx_{a43}⟧ ⟦hcaik_{l58}⟧
⟦ntn_{a46}⟧ ⟦pat{a14}.{h64}⟧ ⟦pat-na1-{uuid}⟧ ⟦tfp_{w59}⟧ ⟦CFPAT-{w43}⟧ ⟦sdk-{uuid}⟧ ⟦rdme_{l70}⟧ ⟦pnu_{a36}⟧ ⟦fio-u-{w64}⟧ ⟦EAAC{a120}⟧ ⟦p8e-{w32}⟧
https://hooks.zapier.com/hooks/catch/⟦{d6}/{l7}/{l12}⟧/
⟦AAAA{w7}:APA91{w134}⟧ ⟦sl.{w120}⟧
⟦live_{a40}⟧ ⟦pdl_live_apikey_{a26}_{a22}_{a3}⟧ ⟦klarna_live_api_{s40}⟧ ⟦AQE{a6}{l24}{l20}-{s43}=-{s16}⟧ ⟦pk_{h34}⟧ ⟦os_v2_app_{l90}⟧ ⟦syt_{a8}_{a20}_{a6}⟧
⟦v2.local.{w120}⟧
dev:⟦$apr1${'$'}{a8}${'$'}{a22}⟧ x:⟦$2b$12${'$'}{a53}⟧ y:⟦$argon2id$v=19$m=65536,t=3,p=4${'$'}{a22}${'$'}{a43}⟧ ⟦pbkdf2_sha256$600000${'$'}{a22}${'$'}{a43}=⟧ ⟦{SSHA}{s40}⟧
net use Z: \\nas\share /user:X\dev ⟦Wren!55⟧
{"auths": {"r.x.org": {"auth": "⟦Y2k6bVc0IXJvb2tlcnktODI=⟧"}}}
https://x.org/hooks/⟦{l26}⟧
https://x.org/invite/⟦{a32}⟧
redirect=postgres%3A%2F%2Fapp%3A⟦{a16}⟧%40db.x.org
https://⟦{a40}⟧@git.x.org/a.git
dev:⟦Wren!55⟧@tcp(127.0.0.1:3306)/x
https_proxy=dev:⟦Wren!55⟧@proxy.x.org:3128
Authorization: AWS4-HMAC-SHA256 Credential=x/20250101/eu/s3/aws4_request, SignedHeaders=host, Signature=⟦{h64}⟧
.x.org⇥TRUE⇥/⇥FALSE⇥1790000000⇥sid⇥⟦{a40}⟧
lftp -u dev,⟦Wren!55⟧ ftp.x.org
ngrok config add-authtoken ⟦{a27}_{a21}⟧
aws ssm put-parameter --name /x/password --value ⟦Wren!55⟧ --type SecureString
dotnet user-secrets set "Stripe:Key" "⟦{a32}⟧"
: PSK "⟦Wren!55⟧"
[smtp.x.org]:587 dev@x.org:⟦Wren55x⟧
echo '⟦Wren!55⟧' | sudo -S id
sudo -S id <<< '⟦Wren!55⟧'
ConvertTo-SecureString "⟦Wren!55⟧" -AsPlainText
sqlcmd -S x -U sa -P ⟦Wren!55⟧
keytool -storepass ⟦Wren55x⟧
openssl rsa -passin pass:⟦Wren55x⟧
rabbitmqctl add_user dev ⟦Wren55x⟧
cmd /pass:⟦Wren!55⟧
jwt.sign({ id }, '⟦{a32}⟧')
crypto.createHmac('sha256', '⟦{a32}⟧')
new NetworkCredential("svc", "⟦Wren!55⟧")
mysqli_connect("db", "dev", "⟦Wren!55⟧")
btoa("dev:⟦Wren!55⟧")
bcrypt.hash("⟦Wren!55⟧", 10)
new SecretKeySpec("⟦{a32}⟧".getBytes(), "AES")
Client("SK{h32}", "⟦{a32}⟧")
UPDATE s SET value='⟦{h40}⟧' WHERE name='api_secret'
{"name": "sessionid", "value": "⟦{a40}⟧"}
use ⟦Wren55x⟧ as the password
- name: DB_PASSWORD↵  value: "⟦Wren!55⟧"
Private-Lines: 2↵⟦{s64}⟧↵⟦{s40}==⟧
-----BEGIN PRIVATE KEY-----↵⟦{s64}⟧↵⟦{s64}⟧↵⟦{s20}⟧↵-----END PRIVATE KEY-----
-----BEGIN RSA PRIVATE KEY-----↵⟦{s64}⟧↵⟦{s64}⟧
<RSAKeyValue><D>⟦{s86}==⟧</D></RSAKeyValue>
---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----↵⟦{s64}⟧↵⟦{s40}⟧↵---- END SSH2 ENCRYPTED PRIVATE KEY ----
curl x/;jsessionid=⟦{u32}⟧
requests.get(url, cookies={'sid': '⟦{a32}⟧'})
/t/⟦tk-{a32}⟧/channel
pass oauth:⟦{l30}⟧
push 'o.⟦{a32}⟧'
ntfy ⟦tk_{l29}⟧
<input type="password" value="⟦Wren!55⟧">
variable "db_password" {↵  default = "⟦Wren!55⟧"↵}
DB_PASSWORD=⟦Wren&5;5x,9⟧
the passcode is ⟦482913⟧
app password is ⟦qzxv wkjp tbdm rhgf⟧
the password is ⟦Woad-and-madder⟧
Passphrase: ⟦nine quiet plovers⟧
log in as dev with ⟦Wren55x⟧
expect "password:"↵send "⟦Wren!55⟧\r"
skopeo copy --src-creds ⟦dev:Wren!55⟧ a b
["--password", "⟦Wren!55⟧"]
⟦{s64}⟧↵⟦{s64}⟧↵⟦{s20}⟧↵-----END EC PRIVATE KEY-----
⟦MIIEvQIBADANBgkqhkiG9w0BAQEFAASC{s200}⟧
client-key-data: ⟦LS0tLS1CRUdJTiBSU0EgUFJJVkFURS{s200}==⟧
"d": "⟦{w43}⟧"
rediss://default:⟦{a32}⟧@r.x.org:6379
printf '%s\n' '⟦Wren!55⟧' | sudo -S true
https://outlook.office.com/webhook/⟦{uuid}@{uuid}/IncomingWebhook/{h32}⟧
net use \\srv\share ⟦Wren!55⟧ /user:bob
helm install x ./c --set auth.password=⟦wrenmoss⟧
redis> AUTH ⟦Wren!55⟧
redis-server --requirepass ⟦wrenmoss⟧
useradd -p '⟦Wren!55⟧' bob
networksetup -setairportnetwork en0 Home ⟦Wren!55⟧
mc alias set local http://localhost:9000 admin ⟦Wren!55⟧
dotnet nuget push x.nupkg -k ⟦{a30}⟧ -s x
rclone config create x s3 env false secret_access_key ⟦{a38}⟧
gh secret set DB_PASSWORD --body ⟦wrenmoss⟧
await page.type('input[name="password"]', '⟦Wren!55⟧')
algoliasearch('APP12345', '⟦{h32}⟧')
"Jwt": { "Issuer": "x", "Key": "⟦GateWren2024Sign⟧" }
<entry key="db.password">⟦wrenmoss⟧</entry>
Driver={x};Pwd={⟦Wren;55⟧};
Host=db;Password="⟦a b;c-Wren⟧";Database=x
WIFI:T:WPA;S:Home;P:⟦Wren!55⟧;;
WiFi.begin("Home", "⟦Wren!55⟧");
username admin privilege 15 secret ⟦Wren55x⟧
kind: Secret↵data:↵  url: ⟦cG9zdGdyZXM6Ly9hcHA6R2F0ZTQy⟧↵  username: YWRtaW4=
{"kind": "Secret", "data": {"url": "⟦cG9zdGdyZXM6Ly9hcHA6R2F0ZTQy⟧"}}
.dockerconfigjson: ⟦eyJhdXRocyI6{a40}⟧
id,email,password↵1,a@x.org,⟦Wren!55⟧↵2,b@x.org,⟦Fern77dale⟧
| User | Password |↵|---|---|↵| bob | ⟦Wren!55⟧ |
insert into users (name, password, role) values ('bob', '⟦Wren!55⟧', 'x'), ('eve', '⟦Fern77dale⟧', 'y')
kubectl get secret db -o jsonpath='{.data.pw}' | base64 -d↵⟦Wren!55⟧
openssl rand -hex 32↵⟦{h64}⟧
vault kv get -field=password secret/db↵⟦Wren!55⟧
echo $DB_PASSWORD↵⟦Wren!55⟧
cat /run/secrets/db_password↵⟦{a24}⟧
A temporary password is generated for root@localhost: ⟦x9Kq,2mLp>a⟧
Your verification code is ⟦482913⟧
npm publish --otp=⟦482913⟧
enter code ⟦8K2P-X9QW⟧ at https://x.org
Use ⟦482913⟧ as your verification code
验证码是 ⟦482913⟧
Recovery codes:↵⟦a1b2c-3d4e5⟧↵⟦f6g7h-8i9j0⟧
recovery key: ⟦EsTB 9kQz 4mXw 7pLv 2nRt 8cFd⟧
wallet words:↵⟦1. abandon↵2. ability↵3. able↵4. about↵5. above↵6. absent↵7. absorb↵8. abstract↵9. absurd↵10. abuse↵11. access↵12. accident⟧
2FA secret ⟦JBSW Y3DP EHPK 3PXP⟧
private key: ⟦0x{h64}⟧
(0) ⟦0x{h64}⟧
(password: ⟦Wren!55⟧)
username: bob, password: ⟦wrenmoss⟧
pw is ⟦Wren!55⟧
demo / ⟦Wren!55x⟧
密钥是 ⟦{a24}⟧
der API-Schlüssel ist ⟦{a24}⟧
-H 'X-Api-Key: ⟦gate-mossy-42⟧'
X-Vault-Token: ⟦s.{a24}⟧
SMTP_PASS="⟦qzxv wkjp tbdm rhgf⟧"
password changed from ⟦Wren{a8}7⟧ to ⟦Wren{a8}8⟧
use bob:⟦Wren{a8}7⟧ to log in
- **Password**: ⟦[{a8}#7⟧
`
  .split('\n')
  .filter((line) => line !== '')
