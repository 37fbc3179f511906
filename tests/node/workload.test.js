/** k6 scripts that are made of a HAR file or of a curl line. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { everythingBut } from '../../k6/own/addresses.js';
import { hiding, sourceOf } from '../../scripts/probes/own/hidden.js';
import { requestOfCurl } from '../../scripts/workload/curl.js';
import { requestsOfHar } from '../../scripts/workload/har.js';
import { scriptOf } from '../../scripts/workload/script.js';
import { isSecret } from '../../scripts/workload/secrets.js';

const ofCurl = (line) => scriptOf('shop', 'a curl command line', requestOfCurl(line));
const entry = (request, response = { status: 200 }) => ({
  request: { method: 'GET', url: 'http://127.0.0.1:8080/', headers: [], ...request },
  response,
});
const har = (...entries) => JSON.stringify({ log: { entries } });
const ofHar = (...entries) => scriptOf('shop', 'shop.har', requestsOfHar(har(...entries), null));

test('names that hide what they name, and names that do not', () => {
  for (const name of [
    'Authorization',
    'X-Auth',
    'proxy-authorization',
    'Cookie',
    'api_key',
    'X-Api-Key',
    'password',
    'PHPSESSION',
    'key',
    'csrf',
    'x-otp',
    'PHPSESSID',
    'userPin',
    'passWord',
    'samlResponse',
    'xSrf',
    'licenseKey',
    'user[pass]',
    'pass-phrase',
  ])
    assert.ok(isSecret(name), name);
  for (const name of [
    'author',
    'accept',
    'monkey',
    'keyboard',
    'passengers',
    'page',
    'inside',
    'user[name]',
    'sortKey',
  ])
    assert.ok(!isSecret(name), name);
});

test('what nobody should read is in no header, address or body of the script, but in variables that it asks for', () => {
  const { text, needed } = ofCurl(
    `curl 'http://bob:hunter2@127.0.0.1/report?id=7&api_key=s3cret' -H 'X-Auth: s3cret' -d 'password=s3cret&page=2'`,
  );
  assert.doesNotMatch(text, /s3cret|hunter2/);
  assert.match(text, /report\?id=7&api_key=\$\{__ENV\.API_KEY\}/);
  assert.match(text, /`password=\$\{__ENV\.PASSWORD\}&page=2`/);
  assert.deepEqual(needed, ['API_KEY=...', 'PASSWORD=...', 'X_AUTH=...', "AUTHORIZATION='Basic ...'"]);
  const json = ofCurl(`curl http://h/login --json '{"user":"a","password":"s3cret","deep":{"token":"t0p"}}'`).text;
  assert.doesNotMatch(json, /s3cret|t0p/);
  assert.match(json, /"password":__ENV\.PASSWORD/);
  const long = ofCurl(`curl http://h/login --json '{"id":12345678901234567890,"password":"s3cret"}'`).text;
  assert.match(long, /`\{"id":12345678901234567890,"password":"\$\{__ENV\.PASSWORD\}"\}`/);
});

test('all that is in an object under such a name is hidden, beside a long number, too', () => {
  for (const name of ['otp', 'pass', 'key', 'sig', 'hmac', 'assertion', 'SAMLResponse'])
    for (const more of ['', ',"n":12345678901234567890']) {
      const { text } = ofCurl(`curl http://h/login --json '{"${name}":{"code":"s3cret","deep":[{"v":"t0p"}]}${more}}'`);
      assert.doesNotMatch(text, /s3cret|t0p/, name + more);
    }
});

test('numbers and lists under such a name are hidden as well, and stay numbers and lists; paths are shown without parameters', () => {
  const { text, needed } = ofCurl(`curl http://h/login --json '{"pin":4711,"codes":[1],"token":["t0p","t1p"],"n":5}'`);
  assert.doesNotMatch(text, /4711|t0p|t1p/);
  assert.match(text, /\{"pin":Number\(__ENV\.PIN\),"codes":\[1\],"token":\[__ENV\.TOKEN,__ENV\.TOKEN_2\],"n":5\}/);
  assert.deepEqual(needed, ['PIN=...', 'TOKEN=...', 'TOKEN_2=...']);
  const nested = `{"id":12345678901234567890,"auth":{"user":"bob","v":["hunter2"]},"tokens":[{"id":1}],"n":[{"b":"c"}]}\n{"pin":{"v":"abc"}}`;
  assert.match(
    ofCurl(`curl http://h/a -H 'content-type: application/json' -d $'${nested.replaceAll('\n', '\\n')}'`).text,
    /"auth":\{"user":"\$\{__ENV\.AUTH_USER\}","v":\["\$\{__ENV\.AUTH_V\}"\]\},"tokens":\[\{"id":\$\{__ENV\.TOKENS_ID\}\}\],"n":\[\{"b":"c"\}\]\}.*"pin":\{"v":"\$\{__ENV\.PIN_V\}"\}/s,
  );
  const long = ofCurl(`curl http://h/a --json '{"id":12345678901234567890,"pin":4711,"token":["t0p"]}'`).text;
  assert.match(long, /"pin":\$\{__ENV\.PIN\},"token":\["\$\{__ENV\.TOKEN\}"\]/);
  assert.match(ofCurl(`curl http://h/a --json '{"__proto__":{"a":1}}'`).text, /'\{"__proto__":\{"a":1\}\}'/);
  const deep = ofCurl(`curl http://h/a --json '{"pin":"4711","a":${'['.repeat(9000)}${']'.repeat(9000)}}'`).text;
  assert.match(deep, /"pin":"\$\{__ENV\.PIN\}","a":\[{9000}\]/);
  const ends = ofCurl(
    `curl http://h/a?token=ab?c\\;d -d 'user=me&password=Hunter2;Secret?x&user[pin]=47;11&userPass=p&next=/b?sid=s3'`,
  ).text;
  assert.doesNotMatch(ends, /Hunter2|Secret|47|11|=p\b|s3|ab\?c|;d/);
  assert.match(ends, /user=me&password=\$\{__ENV\.PASSWORD\}&user\[pin\]=\$\{__ENV\.USER_PIN\}&/);
  const among = [
    'curl "http://h/a?redirect=https://x/cb?access_token=ya29/TAIL"',
    'curl "http://h/a?flag;key=ab/TAIL"',
    'curl "http://h/reset/token=TAIL/x"',
    'curl http://h/a -H "referer: https://h/cb#access_token=TAIL"',
    "curl http://h/a -d 'Server=h;Password=ab/TAIL'",
    "curl http://h/a -d 'a;key=TAIL'",
  ];
  for (const line of among) assert.doesNotMatch(ofCurl(line).text, /TAIL/, line);
  const escaped = ofCurl(`curl http://h/a --json '{"a":"\\ue000HOME\\ue001"}'`).text;
  assert.doesNotMatch(escaped, /__ENV\.HOME/);
  const crafted = ofCurl('curl http://h/a -H "x: \uE000HOME\uE001"').text;
  assert.match(crafted, /x: 'HOME'/, 'our own signs in what was recorded ask for no variable');
  const path = ofCurl('curl "http://h/login;jsessionid=s3cret?x=1"').text;
  assert.doesNotMatch(path, /s3cret/);
  assert.match(path, /login;jsessionid=\$\{__ENV\.JSESSIONID\}\?x=1/);
});

test('what is JSON is read as JSON, whatever its type, and a name of a form as it is meant', () => {
  const { text } = ofCurl(`curl http://h/login -d '{"user":"me","password":"hunter2"}'`);
  assert.match(text, /JSON\.stringify\(\{"user":"me","password":__ENV\.PASSWORD\}\)/);
  assert.doesNotMatch(ofCurl(`curl http://h/login -d 'pass%77ord=hunter3&login%5Bpassword%5D=hunter4'`).text, /hunter/);
});

test('what a name of a variable, or of a check, cannot be is another', () => {
  const { text, needed } = ofCurl('curl "http://h/a::b?2fa_token=123"');
  assert.match(text, /\$\{__ENV\._2FA_TOKEN\}/);
  assert.deepEqual(needed, ['_2FA_TOKEN=...']);
  assert.match(text, /'GET \/a:b succeeds'/);
  assert.match(ofCurl('curl http://h/a -b x=1 -b y=2').text, /COOKIE/);
});

test('a certificate that curl was not to mind (-k) is none that the script minds', () => {
  assert.match(ofCurl('curl -k https://h/a').text, /options = \{ insecureSkipTLSVerify: true \}/);
  assert.doesNotMatch(ofCurl('curl https://h/a').text, /insecure/);
});

test('of several headers of one name there is one', () => {
  assert.deepEqual(ofCurl(`curl http://h/a -b sid=1 -H 'cookie: x=y'`).needed, ['COOKIE=...']);
  assert.match(ofCurl(`curl http://h/a -H 'accept: a/b' -H 'Accept: c/d'`).text, /accept: 'a\/b, c\/d'/);
});

test('two values of one name are two variables', () => {
  const cookie = (value) => entry({ headers: [{ name: 'cookie', value }] });
  const { text, needed } = ofHar(cookie('a=1'), cookie('a=2'), cookie('a=1'));
  assert.deepEqual(needed, ['COOKIE=...', 'COOKIE_2=...']);
  assert.equal(text.match(/__ENV\.COOKIE,/g).length, 2);
});

test('what is asked stays what it is: compression, long numbers, an address without quotes', () => {
  assert.match(ofCurl('curl http://h/a --compressed').text, /'accept-encoding': 'gzip/);
  assert.match(ofHar(entry({ headers: [{ name: 'Accept-Encoding', value: 'br' }] })).text, /'accept-encoding': 'br'/);
  assert.match(ofCurl(`curl http://h/a --json '{"id":12345678901234567890}'`).text, /'\{"id":12345678901234567890\}'/);
  assert.match(ofCurl('curl http://h/a?id=1').text, /\/a\?id=1`/);
  assert.match(ofCurl(String.raw`curl http://h/a -d $'x=\xc3\xa9\303\251\U0001F600\\x41'`).text, /'x=éé😀\\\\x41'/u);
  assert.match(ofCurl(String.raw`curl http://h/a -d $'x=caf\xe9\041'`).text, /'x=café!'/u, 'as some browsers copy it');
});

test('secrets that a script takes from the environment are starred in logs and answers, however an address writes them; nothing else is', () => {
  const hide = hiding('ask(__ENV.API_KEY_2, __ENV["password"], __ENV.CITY)', {
    ...{ API_KEY_2: 'a b/c', password: 'xyzw', CITY: 'Berlin', XDG_SESSION_CLASS: 'user' },
  });
  assert.equal(hide('/?k=a%20b%2Fc of a b/c, xyzw, user in Berlin'), '/?k=********* of *****, ****, user in Berlin');
  const odd = hiding('ask(__ENV.PASSWORD)', { PASSWORD: 'my S3cret!é"' });
  for (const written of ['my S3cret!é"', 'my%20S3cret%21%C3%A9%22', 'my+S3cret!%c3%a9\\"', 'my S3cret!Ã©\\\\\\"'])
    assert.equal(odd(written), '*'.repeat(written.length), written);
  const long = 'a b/c '.repeat(2000);
  for (const written of [long, encodeURIComponent(long)])
    assert.ok(hiding('ask(__ENV.PASSWORD)', { PASSWORD: long })(written) === '*'.repeat(written.length));
});

test('a variable that a script names is starred, too, if it is long and no address; so is a token behind its scheme, and a cookie', () => {
  const hide = hiding(
    "const { BEARER, ACCOUNT } = __ENV; ask(__ENV['SHOP_PASS'], __ENV.API_URL, __ENV.CITY, __ENV.COOKIE)",
    {
      ...{ BEARER: 'Bearer abcdefghij', ACCOUNT: 'acc-123456', SHOP_PASS: 'hunter', API_URL: 'http://127.0.0.1:80' },
      ...{ CITY: 'Berlin', COOKIE: 'sid=s3ssion-1; id=t0ken-23==', PATH: '/usr/bin' },
    },
  );
  assert.equal(
    hide('abcdefghij acc-123456 hunter http://127.0.0.1:80 Berlin s3ssion-1 t0ken-23== /usr/bin'),
    '********** ********** ****** http://127.0.0.1:80 Berlin ********* ********** /usr/bin',
  );
  const signs = hiding('ask(__ENV.AUTHORIZATION, __ENV.COOKIE, __ENV.PASSWORD)', {
    ...{ AUTHORIZATION: 'Bearer aaaa=bbbb,cc=+/="x9Zq', COOKIE: 'sid=abc=defgh; a=1', PASSWORD: '🔑secret' },
  });
  assert.equal(
    signs('token aaaa=bbbb,cc=+/="x9Zq, abc=defgh, "\\ud83d\\udd11secret", "\\\\uD83D\\\\uDD11secret"'),
    `token ${'*'.repeat(21)}, *********, "${'*'.repeat(18)}", "${'*'.repeat(20)}"`,
    'all of a token, whatever signs are in it',
  );
});

test('parts of addresses that are long and not in the script are starred, as a server may have issued them; so are parameters whose names say so', () => {
  const hide = hiding('get(`/products/organic-coffee-500g-bag?sort=price-from-low-to-high`)', {});
  const cases = {
    'Get \\"http://127.0.0.1:21009/t/qWeRtYuIoPaSdFgH/x?token=abc&n=1&sig=AAAABBBBCCCCDDDD\\": EOF':
      'Get \\"http://127.0.0.1:21009/t/****************/x?token=***&n=1&sig=****************\\": EOF',
    'http://shop.a-long-name.example:8080/bot123:AAF9dEf-ghijk_l?a=1':
      'http://shop.a-long-name.example:8080/**********************?a=1',
    "HTTP://h/Users('id')/x?0123456789abcdef&name=%20eq%20'x'&access_token=srv-1":
      "HTTP://h/Users('id')/x?****************&name=%20eq%20'x'&access_token=*****",
    'http://h/files?sig=kX9fPq2/aZ3vTn81LmQ+/uYw=&n=1': 'http://h/files?sig=*************************&n=1',
    'http://h/cb?code=ab12cd34ef?gh56ij78kl': 'http://h/cb?code=*********************',
    'http://h/t/ab12cd34;ef56gh78ij/x': 'http://h/t/*******************/x',
    'Get "/a?to=b?token=abc"': 'Get "/a?to=b?token=***"',
    'http://h/cb#id_token=eyJhbGciOi': 'http://h/cb#id_token=**********',
    "'http://h/products/organic-coffee-500g-bag'": "'http://h/products/organic-coffee-500g-bag'",
    'Get "/orders/7?access_token=srv-1"': 'Get "/orders/7?access_token=*****"',
    'http://h/products/organic-coffee-500g-bag?sort=price-from-low-to-high':
      'http://h/products/organic-coffee-500g-bag?sort=price-from-low-to-high',
    'in /var/tmp/runs/20261129T143106Z-capacity': 'in /var/tmp/runs/20261129T143106Z-capacity',
    'at file:///var/tmp/runs/20261129T143106Z-capacity/main.js:7':
      'at file:///var/tmp/runs/20261129T143106Z-capacity/main.js:7',
    'Authorization: Basic bWU6aHVudGVyMg== of Basic authentication':
      'Authorization: Basic **************** of Basic authentication',
  };
  for (const [text, shown] of Object.entries(cases)) assert.equal(hide(text), shown);
});

test('what a script imports is part of it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'script-'));
  writeFileSync(join(folder, 'main.js'), "import http from 'k6/http';\nimport { ask } from './part.js';\n");
  writeFileSync(join(folder, 'part.js'), "import './main.js';\nexport const ask = () => __ENV.TOKEN;\n");
  const main = join(folder, 'main.js');
  assert.match(sourceOf(main), /k6\/http[\s\S]*__ENV\.TOKEN/);
  const imports = [
    `from 'file://${folder}/part.js'`,
    "from /* ours */ './part.js'",
    "= require(import.meta.resolve('./part.js'))",
    "from './part.js'; 'part.js/x.js'",
  ];
  for (const text of imports) {
    writeFileSync(main, text);
    assert.match(sourceOf(main), /__ENV\.TOKEN/, text);
  }
  rmSync(folder, { recursive: true });
});

test('a script’s variables are found in whatever way it gets at them', () => {
  const env = { TOKEN: 'abcdef', SESSION_KEY: 'ghijkl', COOKIE: 'mnopqr' };
  const hide = hiding('const { TOKEN } = __ENV; const e = __ENV; ask(e.SESSION_KEY)', env);
  assert.equal(hide('abcdef ghijkl mnopqr'), '****** ****** mnopqr');
});

test('secrets in the address that a request came from, and in an object whose name says so', () => {
  const { text } = ofCurl(
    `curl http://h/a -H 'referer: http://h/b?token=s3cret' --json '{"credentials":{"name":"joe","code":4711}}'`,
  );
  assert.doesNotMatch(text, /s3cret|joe|4711/);
  assert.match(ofCurl('curl http://h/a --json \'{"pwd":"x"}\'').text, /__ENV\.PASSWORD/); // a shell has a PWD
});

test("what a browser copies in $'...' is what it stands for", () => {
  const { text } = ofCurl(
    String.raw`curl 'http://h/a' -H 'x-price: 5$' --data-raw $'{"say":"it isn\'t \u0021"}' -H "x-b: a$'b"`,
  );
  assert.match(text, /'x-price': '5\$'/);
  assert.match(text, /\{"say":"it isn't !"\}/);
});

test('a value that begins with a - is one, and a form with parts is refused as such', () => {
  assert.match(ofCurl("curl http://h/a --data-raw '--x' -H 'content-type: text/plain'").text, /'--x'/);
  assert.match(ofCurl("curl http://h/a -d '-x=1'").text, /'-x=1'/);
  assert.match(ofCurl("curl http://h/a -w '-H' -d '-x' -H 'a: b'").text, /'-x', \{\n +headers: \{\n +a: 'b'/);
  assert.match(ofCurl("curl http://h/a -d '-d' -d 'x=1'").text, /'-d&x=1'/);
  const type = 'content-type: multipart/form-data; boundary=x';
  assert.throws(() => ofCurl(`curl http://h/a -H '${type}' --data-raw $'--x\\r\\n'`), /a form with parts/);
});

test('a file whose name is of several lines is named in one', () => {
  const { text } = scriptOf('shop', 'a\nthrow 1;.har', requestsOfHar(har(entry({})), null));
  assert.match(text, /what a throw 1;\.har asked of/);
});

test('an answer that a browser had already is checked as one that it had not', () => {
  assert.match(ofHar(entry({}, { status: 304, content: { text: '' } })).text, /GET \/ is 200/);
});

test('a script may connect to its server, and to nothing else', () => {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  const kindOf = (address) => (address.includes(':') ? 'ipv6' : 'ipv4');
  for (const network of everythingBut(['10.0.0.5', '127.0.0.0/8', '::1', 'fd00::7'])) {
    const [address, bits] = network.split('/');
    lists[kindOf(address)].addSubnet(address, Number(bits), kindOf(address));
  }
  const isRefused = (address) => lists[kindOf(address)].check(address, kindOf(address));
  const own = ['10.0.0.5', '127.0.0.1', '127.9.9.9', '::1', 'fd00::7'];
  const others = ['10.0.0.4', '8.8.8.8', '126.255.255.255', '128.0.0.0', '::2', '::', 'fd00::6', '2001:db8::1'];
  assert.deepEqual(own.filter(isRefused), []);
  assert.deepEqual(others.filter(isRefused), others);
});

test('what cannot be had from the line or the file is refused, and what is broken in it left out', () => {
  for (const [line, fault] of [
    ['curl http://h/a -H @headers', /reads headers from a file/],
    ['curl http://h/a -b cookies.txt', /reads cookies from a file/],
    ['curl http://h/a --data-urlencode text@file', /reads its data from a file/],
    ['curl http://h/a -d "{\\"id\\":$ID}"', /has the shell's variable \$ID/],
    ['curl http://me:p%zz@h/a', /not encoded as addresses are/],
    ['curl ^"http://h/a^"', /command prompt of Windows/],
    ['curl http://h/a -F a=b', /a form with parts/],
    ["curl 'http://h/a", /a quote that is not closed/],
    ['curl "http://h/items/[1-5]"', /asks several addresses/],
    ['curl http://h/a?x=1&y=2', /has a & that a shell takes for its own/],
  ])
    assert.throws(() => ofCurl(line), fault);
  const file = { mimeType: 'multipart/form-data', params: [{ name: 'f', fileName: 'a.png' }] };
  const text = { mimeType: 'multipart/form-data; boundary=X', text: '--X' };
  for (const postData of [file, text]) assert.throws(() => ofHar(entry({ postData })), /a form with parts/);
  assert.match(ofHar(entry({ headers: [{ name: 'x-a' }, null, 5] })).text, /'x-a': ''/);
  assert.match(ofHar(entry({ headers: 'none' })).text, /http\.request/);
  const bytes = { mimeType: 'image/png', encoding: 'base64', text: Buffer.from([0x89, 0xff]).toString('base64') };
  for (const method of [null, ['GET']]) assert.throws(() => ofHar(entry({ method })), /no request that was answered/);
  assert.match(ofHar(entry({ url: 'http://h/a:::b' })).text, /'GET \/a:b is 200'/);
  for (const postData of [bytes, { text: { a: 1 } }, { text: 5, encoding: 'base64' }])
    assert.throws(() => ofHar(entry({ postData })), /sends a body to \/\S* that is no text/);
  assert.match(ofHar(entry({ postData: { params: 'none', mimeType: 5 } })).text, /http\.request/);
  const shown = { status: 200, content: { text: { a: 1 } } };
  assert.match(ofHar(entry({}, shown)).text, /http\.request/);
  assert.throws(() => ofHar(entry({ url: 'http://h/' }), entry({ url: 'https://h/' })), /by http and by https/);
  const { requests } = requestsOfHar(har(null, {}, entry({ method: 'CONNECT' }), entry({})), null);
  assert.equal(requests.length, 1);
  assert.equal(requestsOfHar(`\uFEFF${har(entry({}))}`, null).requests.length, 1, 'a byte order mark begins it');
});

test('a log is starred in place line by line, however long it is, and what is not ended by a line, too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  const [script, log] = ['main.js', 'k6.log'].map((name) => join(folder, name));
  writeFileSync(script, 'ask(__ENV.TOKEN)');
  const line = `${'x'.repeat(700)} abcdef ${'y'.repeat(300)}\n`;
  writeFileSync(log, `${line.repeat(3000)}é abcdef`);
  execFileSync(process.execPath, ['scripts/probes/own/hidden.js', script, log], { env: { TOKEN: 'abcdef' } });
  assert.ok(readFileSync(log, 'utf8') === `${line.replace('abcdef', '******').repeat(3000)}é ******`);
  rmSync(folder, { recursive: true });
});

test('a curl line of many words, and a half of a surrogate pair, are no crash', () => {
  const words = `curl http://h/ ${"-H 'a: b' ".repeat(20_000)}`;
  assert.equal(requestOfCurl(words).requests.length, 1);
  assert.equal(requestOfCurl("curl http://h/ --data-urlencode 'a=\ud800'").requests[0].body, 'a=%EF%BF%BD');
});
