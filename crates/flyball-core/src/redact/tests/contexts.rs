//! Secrets that are known only by what is beside them.

use serde_json::json;

use super::super::redact;
use super::shapes::token;

/// A text in which `@` stands for the secret, and a secret of low entropy that must not be in what is stored.
const CONTEXTS: &[&str] = &[
    "Authorization: Bearer @",
    "authorization: token @",
    "Authorization: SSWS @",
    "Authorization: @",
    "Proxy-Authorization: Basic @",
    "X-Api-Key: @",
    "x-goog-api-key: @",
    "X-Auth-Token: @",
    "X-Auth-Key: @",
    "PRIVATE-TOKEN: @",
    "Ocp-Apim-Subscription-Key: @",
    "DD-APPLICATION-KEY: @",
    "Cookie: sid=@; theme=dark",
    "Cookie: theme=dark; sid=@",
    "Set-Cookie: session=@; Path=/; HttpOnly",
    "curl -H 'Cookie: a=b; sid=@' https://x.example",
    "curl -b 'sid=@' https://x.example",
    "curl --cookie sid=@ https://x.example",
    "curl -u ada:@ https://x.example",
    "curl -sSu ada -u 'ada:@' https://x.example",
    "curl --user ada:@ https://x.example",
    "curl -U ada:@ https://x.example",
    "http -a ada:@ GET x.example",
    "sshpass -p @ ssh host",
    "sshpass -p'@' ssh host",
    "docker login -u ada -p @ registry.example",
    "podman login -p @ registry.example",
    "mysql -uroot -p@ shop",
    "mysqldump -p'@' shop",
    "mongosh -u ada -p @ shop",
    "redis-cli -a @ ping",
    "openssl enc -aes-256-cbc -k @ -in a -out b",
    "openssl rsa -in k.pem -passin pass:@ -out o.pem",
    "openssl genrsa -passout pass:@ 2048",
    "ssh-keygen -t ed25519 -N '@' -f id",
    "ssh-keygen -p -P @ -f id",
    "keytool -list -storepass @ -keystore a.jks",
    "unzip -P @ a.zip",
    "7z x -p@ a.7z",
    "ldapsearch -x -w @ -b dc=x",
    "smbclient //h/s -U ada%@",
    "sqlcmd -S h -U sa -P @",
    "twine upload -u ada -p @ dist/x",
    "tool --password @ --verbose",
    "tool --token=@",
    "tool --api-key '@'",
    "tool -token @",
    "PASS=@ run",
    "SSHPASS=@ sshpass -e ssh h",
    "DB_PASS=@",
    "db_pass: @",
    "PGPASSWORD=@ psql",
    "MYSQL_PWD=@ mysql",
    "Server=h;Uid=sa;Pwd=@;",
    "GITLAB_TOKEN=@ glab",
    "DD_APP_KEY=@",
    "DATADOG_API_KEY: @",
    "export AWS_SECRET_ACCESS_KEY=@",
    "aws_secret_access_key = @",
    "machine api.example login ada password @",
    "ALTER USER ada WITH PASSWORD '@';",
    "CREATE USER 'ada' IDENTIFIED BY '@';",
    "postgres://ada:@@db:5432/shop",
    "redis://:@@cache:6379/0",
    "amqps://ada:@@mq/vhost",
    "https://files.example/x?sv=1&sig=@",
    "https://files.example/x?X-Amz-Credential=abc&X-Amz-Signature=@",
    "https://files.example/x?X-Goog-Signature=@&x=1",
    "https://files.example/x?access_token=@",
    "https://files.example/x?token=@#top",
    "https://hooks.slack.com/services/T000/B000/@",
    "https://hooks.slack.com/triggers/T000/1/@",
    "https://discord.com/api/webhooks/123/@",
    "https://canary.discord.com/api/v10/webhooks/123/@",
    "https://hooks.zapier.com/hooks/catch/1/@/",
    "https://acme.webhook.office.com/webhookb2/@",
    "https://outlook.office.com/webhook/@",
    "https://api.telegram.org/bot@/sendMessage",
    "https://maker.ifttt.com/trigger/x/with/key/@",
    "https://hook.eu1.make.com/@",
    "AccountName=x;AccountKey=@;EndpointSuffix=core",
    "{\"auth\": {\"user\": \"ada\", \"pass\": \"@\"}}",
    "{\"headers\": {\"Cookie\": \"sid=@\"}}",
    "{\"args\": [\"curl\", \"-u\", \"ada:@\"]}",
    "{\"args\": [\"sshpass\", \"-p\", \"@\"]}",
    "//registry.npmjs.org/:_authToken=@",
];

#[test]
fn what_is_beside_it_gives_it_away() {
    const SECRET: &str = "violet-horse7";
    for context in CONTEXTS {
        let text = context.replacen("@@", "@\u{1}", 1).replacen('@', SECRET, 1).replace('\u{1}', "@");
        let nested = json!({ "tool_input": { "command": text } }).to_string();
        for text in [text, nested] {
            let clean = redact(&text);
            assert!(!clean.contains(SECRET), "{clean}");
            assert_eq!(redact(&clean), clean, "again");
            if text.starts_with('{') {
                assert!(serde_json::from_str::<serde_json::Value>(&clean).is_ok(), "{clean}");
            }
        }
    }
}

/// The same with what looks drawn by lot, where the name alone proves nothing.
#[test]
fn a_word_before_something_drawn_by_lot_is_enough() {
    let secret = token("a32");
    for context in [
        "API key: @",
        "your token is @",
        "the password is '@'.",
        "key=@",
        "\"key\": \"@\"",
        "client_credentials: @",
        "aws configure set aws_secret_access_key @",
        "Bearer @",
        "https://x.example/?key=@",
        "https://x.example/cb?code=@&state=1",
        "GET /x?a=1\\u0026sig=@",
        "vault token @",
    ] {
        let text = context.replace('@', &secret);
        let clean = redact(&text);
        assert!(!clean.contains(&secret), "{clean}");
    }
}

#[test]
fn logins_in_base64_follow_their_scheme() {
    assert_eq!(redact("> Basic YWRhOnZpb2xldC1ob3JzZTc="), "> Basic [redacted]");
    assert_eq!(redact("Basic authentication/authorisation is"), "Basic authentication/authorisation is");
}

#[test]
fn a_list_of_credentials_is_struck_out_to_its_end() {
    let digest = "Authorization: Digest username=\"ada\", realm=\"x\", response=\"6629fae49393a05397450978507c4ef1\"\nHost: x";
    assert_eq!(redact(digest), "Authorization: Digest [redacted]\nHost: x");
    let signed =
        "curl -H 'Authorization: AWS4-HMAC-SHA256 Credential=a/b, Signature=0123456789abcdef' https://x";
    assert_eq!(redact(signed), "curl -H 'Authorization: AWS4-HMAC-SHA256 [redacted]' https://x");
}

#[test]
fn private_keys_of_every_format() {
    let line = token("a64");
    let pem = |kind: &str| format!("-----BEGIN {kind}-----\n{line}\n-----END {kind}-----");
    for kind in ["PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"] {
        let clean = redact(&format!("a {} b", pem(kind))).into_owned();
        assert_eq!(clean, "a [redacted] b", "{kind}");
    }
    let ssh2 = format!(
        "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n{line}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----"
    );
    assert_eq!(redact(&ssh2), "[redacted]");
    let putty = format!("PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 1\n{line}\nPrivate-MAC: 00");
    assert!(!redact(&putty).contains(&line));
    assert!(!redact(&json!({ "a": putty }).to_string()).contains(&line));
    // Some tools report a file line by line.
    let pem = pem("PRIVATE KEY");
    let lines: Vec<String> = pem.lines().map(|line| format!("+{line}")).collect();
    let patch = json!({ "patch": { "lines": lines }, "z": token("h40") }).to_string();
    let clean = redact(&patch);
    assert!(!clean.contains(&line) && clean.contains(&token("h40")), "{clean}");
    assert!(pem.len() > 100 && redact("-----BEGIN CERTIFICATE-----\nMIIB\n").ends_with("MIIB\n"));
}

#[test]
fn what_only_names_a_secret_stays() {
    for text in [
        "PASS: TestFoo (0.00s)",
        "pass: 12 tests",
        "12 pass, 3 fail; pass=12 fail=3",
        "PWD=/home/ada OLDPWD=/srv",
        "docker run --user 1000:1000 -p 8080:80 -u node x",
        "openssl rsa -passin env:KEY_PASSPHRASE -passout file:/run/k",
        "curl -b cookies.txt -c cookies.txt -u $USER:$PASSWORD https://x.example",
        "Cookie: a small cake",
        "the cookie: it is sweet, cookie = request.cookies",
        "cache key: user-profile, key=value, primary key: id, foreign key: users_id",
        "https://x.example/search?key=name&code=404&session=new",
        "https://discord.com/developers https://api.slack.com/apps https://make.com/en/help",
        "git push -u origin main && mkdir -p a/b && ssh -p 2222 host && cp -a x y && tar -xzf a",
        "password prompt, password reset",
        "login form and password field",
        "signature: fn(a: u8) -> u8, auth: required, credentials: include",
        "bypass=always compass=north",
    ] {
        assert_eq!(redact(text), text);
    }
}
