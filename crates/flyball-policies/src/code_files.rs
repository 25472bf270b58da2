//! What is code: the endings and the names of its files. Prose and data are none, templates and build files are.

use std::borrow::Cow;

/// Pages, and what they are made of.
pub(crate) const PAGES: &[&str] =
    &["**/*.{tsx,jsx,vue,svelte,astro,html,htm,xhtml,css,scss,sass,less,styl,pcss,mdx,marko,riot}"];

pub(crate) const SCRIPT_LANGUAGE: &[&str] = &["**/*.{ts,mts,cts,js,mjs,cjs,es6}"];

pub(crate) const PYTHON: &[&str] = &["**/*.{py,pyi,pyw,ipynb,pyx,pxd,pxi}"];

/// Languages of programs.
const LANGUAGES: &[&str] = &[
    "**/*.{go,rs,java,kt,kts,cs,csx,rb,rbw,ru,php,phtml,scala,sc,swift,ex,exs,dart,zig,lua,luau,sql,psql,plsql,proto}",
    "**/*.{tf,hcl,graphql,gql,graphqls,prisma,bicep,rego,cue,pkl,dhall,jsonnet,libsonnet,nix,thrift,fbs,capnp}",
    "**/*.{c,h,cc,cpp,cxx,hh,hpp,hxx,ipp,tpp,inl,m,mm,cu,cuh,ino,pde,qml}",
    "**/*.{metal,glsl,hlsl,wgsl,vert,frag,comp,shader}",
    "**/*.{hs,lhs,clj,cljs,cljc,bb,pl,pm,raku,rakumod,r,jl,ml,mli,mll,mly,re,rei,res,resi,erl,hrl,fs,fsi,fsx}",
    "**/*.{vb,vbs,vba,bas,nim,nims,cr,d,f,for,f77,f90,f95,f03,f08,hx,gleam,odin,mojo,hy,fnl,janet,pony,idr,agda,lean,thy}",
    "**/*.{groovy,elm,purs,rkt,scm,ss,lisp,lsp,cl,el,tcl,coffee,gd,gdshader,cob,cbl,cpy,abap,trigger,cls,apex,pas,pp,dpr,adb,ads}",
    "**/*.{sol,vy,cairo,move,circom,v,sv,svh,vhd,vhdl,asm,s,wat,st,stan,applescript,ahk,au3,ps,nf,smk,xsl,xslt,xq}",
    "**/*.{erb,haml,slim,cshtml,vbhtml,razor,xaml,axaml,aspx,ascx,jsp,jspx,ftl,twig,liquid,njk,mustache,heex,eex,leex}",
    "**/*.{ejs,hbs,handlebars,pug,jade,jinja,jinja2,j2,tmpl,tpl,gotmpl,gohtml,mjml}",
];

/// What shells run.
const SHELLS: &[&str] =
    &["**/*.{sh,bash,zsh,ksh,csh,tcsh,fish,nu,elv,bats,bat,cmd,btm,ps1,psm1,psd1,awk,sed,exp,command}"];

/// What builds, packages and deploys is written in: by ending, and by name.
const BUILDS: &[&str] = &[
    "**/*.{mk,mak,cmake,gradle,sbt,bzl,bazel,star,gn,gni,gyp,gypi,rake,gemspec,podspec,dockerfile,containerfile,just}",
    "**/{Makefile,makefile,GNUmakefile,BSDmakefile,Kbuild,CMakeLists.txt,meson.build,meson_options.txt}",
    "**/{Makefile,Dockerfile,Containerfile,Jenkinsfile}.*",
    "**/{Dockerfile,Containerfile,Earthfile,Vagrantfile,Tiltfile,Caddyfile,Jenkinsfile,Snakefile,Procfile}",
    "**/{Rakefile,Gemfile,Podfile,Fastfile,Appfile,Brewfile,Guardfile,Capfile,Berksfile,Thorfile,Dangerfile,Puppetfile}",
    "**/{justfile,Justfile,.justfile,BUILD,WORKSPACE,BUCK,Buckfile,Pantsfile,SConstruct,SConscript,wscript,Nmakefile}",
    "**/{configure.ac,configure.in,PKGBUILD,APKBUILD,.bashrc,.bash_profile,.zshrc,.zshenv,.profile,.envrc}",
    // Hooks of git have no ending.
    "**/{.husky,.githooks,githooks,git-hooks}/{pre-*,post-*,commit-msg,prepare-commit-msg,applypatch-msg,update}",
];

/// Folders in which a name without an ending is a program.
const SCRIPT_FOLDERS: [&str; 5] = ["bin", "sbin", "libexec", "script", "scripts"];

/// All but pages and Python.
pub(crate) fn others() -> Vec<&'static str> {
    [LANGUAGES, SHELLS, BUILDS, SCRIPT_LANGUAGE].concat()
}

pub(crate) fn all() -> Vec<&'static str> {
    [PAGES, PYTHON, &others()].concat()
}

/// Whether a file is code, by its path: what the globs of [`all`] say, without the work that globs are.
pub(crate) fn is_code(path: &str) -> bool {
    let is_one =
        |name: &str, glob: &str| match glob.strip_prefix("**/*.{").and_then(|it| it.strip_suffix('}')) {
            Some(endings) => name
                .rsplit('/')
                .next()
                .and_then(|name| name.rsplit_once('.'))
                .is_some_and(|(_, ending)| endings.split(',').any(|known| known == ending)),
            None => fast_glob::glob_match(glob, name),
        };
    let lists = [PAGES, SCRIPT_LANGUAGE, PYTHON, LANGUAGES, SHELLS, BUILDS];
    lookup_names(path).any(|name| lists.iter().copied().flatten().any(|glob| is_one(&name, glob)))
}

/// The names by which a file is looked for among globs of code: as it is called, with its ending in small letters
/// (`Main.PY` is code like `Main.py`), and as a script if its folder says that it is one (`bin/setup`).
pub(crate) fn lookup_names(path: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let others = [small_ending(path), has_script_name(path).then(|| format!("{path}.sh"))];
    std::iter::once(Cow::Borrowed(path)).chain(others.into_iter().flatten().map(Cow::Owned))
}

/// Whether a file without an ending is in a folder of programs.
pub(crate) fn has_script_name(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or_default();
    // `LICENSE` and `VERSION` are none.
    let is_plain = !name.contains('.') && name.contains(|letter: char| letter.is_ascii_lowercase());
    is_plain && parts.next().is_some_and(|folder| SCRIPT_FOLDERS.contains(&folder))
}

/// A path whose ending is not in small letters, with that ending in small letters.
fn small_ending(path: &str) -> Option<String> {
    let (stem, ending) = path.rsplit_once('.')?;
    let is_other = !ending.contains('/') && ending.contains(|letter: char| letter.is_ascii_uppercase());
    is_other.then(|| format!("{stem}.{}", ending.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::globs::Globs;

    fn is_covered(path: &str) -> bool {
        let globs = Globs::builtin(&all());
        lookup_names(path).any(|name| globs.match_path(&name))
    }

    #[test]
    fn programs_templates_and_build_files_are_code() {
        let files = "a.rs|a.py|x/a.tsx|a.sh|a.bash|a.zsh|a.fish|a.bat|a.cmd|a.ps1|a.psm1|a.awk|a.mdx|a.nix|a.cmake|\
            CMakeLists.txt|x/CMakeLists.txt|Dockerfile|Dockerfile.dev|app.dockerfile|Containerfile|Makefile|GNUmakefile|\
            Makefile.am|rules.mk|Jenkinsfile|Rakefile|Gemfile|x.gemspec|justfile|Justfile|.justfile|BUILD|BUILD.bazel|\
            WORKSPACE|defs.bzl|BUCK|Tiltfile|Earthfile|Vagrantfile|Snakefile|Procfile|meson.build|SConstruct|wscript|\
            configure.ac|build.gradle|build.gradle.kts|build.sbt|a.hcl|a.jsonnet|a.twig|a.tmpl|a.adb|a.stan|a.xsl|\
            .husky/pre-commit|.githooks/commit-msg|bin/tool|scripts/deploy|a.PY|Main.RS|.envrc|.bashrc";
        for file in files.split('|') {
            assert!(is_code(file.trim()) && is_covered(file.trim()), "{file}");
        }
    }

    #[test]
    fn prose_and_data_are_not() {
        let files = "README.md|a.txt|a.rst|a.adoc|a.json|a.jsonl|a.yaml|a.yml|a.toml|a.csv|a.xml|a.ini|a.cfg|a.lock|a.svg|\
            a.png|a.pdf|a.log|LICENSE|VERSION|README|bin/README|bin/data.json|scripts/notes.md|.gitignore|.env|\
            .dockerignore|.editorconfig|CODEOWNERS|.husky/README|package.json|Cargo.toml|go.mod|go.sum|pom.xml|a.snap|\
            a.parquet|a.ipynb.md|requirements.txt|Cargo.lock|notes/build|src/data";
        for file in files.split('|') {
            assert!(!is_code(file.trim()) && !is_covered(file.trim()), "{file}");
        }
    }
}
