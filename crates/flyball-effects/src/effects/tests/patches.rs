//! Which files patches change.

use crate::effects::{Patched, patched_files};
use crate::model::Content;

fn rendered(text: &str) -> Vec<String> {
    let how = |how: &Patched| match how {
        Patched::Added(Content::Text(text)) => format!("+{text:?}"),
        Patched::Added(Content::Unknown) => "+?".to_owned(),
        Patched::Changed => "~".to_owned(),
        Patched::Deleted => "-".to_owned(),
        Patched::Moved { to } => format!(">{to}"),
    };
    patched_files(text).iter().map(|file| format!("{} {}", file.path, how(&file.how))).collect()
}

#[test]
fn a_unified_diff_names_its_files() {
    let diff = "\
diff --git a/x y/z b/x y/z
index 1..2 100644
--- a/x y/z
+++ b/x y/z
@@ -1,2 +1,2 @@
 same
-old
+new
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/new b/new
new file mode 100644
--- /dev/null
+++ b/new
@@ -0,0 +1,2 @@
+one
+two
diff --git a/mode b/mode
old mode 100644
new mode 100755
diff --git a/from b/to
similarity index 90%
rename from from
rename to to
--- a/from
+++ b/to
@@ -1 +1 @@
-a
+b
";
    assert_eq!(rendered(diff), ["x y/z ~", "gone -", "new +\"one\\ntwo\\n\"", "mode ~", "from >to"]);
}

#[test]
fn a_line_inside_a_hunk_is_never_a_header() {
    let diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a/y\n+++ b/y\n same\n";
    assert_eq!(rendered(diff), ["x ~"]);
}

#[test]
fn dates_behind_names_are_left_out() {
    let diff = "--- old/x.c\t2024-01-01 00:00:00\n+++ new/x.c\t2024-01-02 00:00:00\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(rendered(diff), ["new/x.c ~"]);
}

#[test]
fn a_hunk_shorter_than_it_says_hides_nothing() {
    let diff = "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\n+b\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n";
    assert_eq!(rendered(diff), ["x ~", "y ~"]);
}

#[test]
fn the_other_format_names_its_files() {
    let patch = "\
*** Begin Patch
*** Add File: a/new.txt
+one
+two
*** Update File: b
*** Move to: c
@@
-x
+y
*** Update File: d
@@
-*** Delete File: trap
+z
*** Delete File: e
*** End Patch
";
    assert_eq!(rendered(patch), ["a/new.txt +\"one\\ntwo\\n\"", "b >c", "d ~", "e -"]);
}

#[test]
fn text_that_is_not_a_patch_names_no_file() {
    assert_eq!(rendered("hello\n--- \nworld\n"), Vec::<String>::new());
}
