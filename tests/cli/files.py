"""What becomes of files: replaced whole or not at all, whatever goes wrong."""
import os
import resource
import stat
import subprocess

from tool import *


class InPlace(CliTest):
    def left_alone(self, path, text):
        self.assertEqual(self.read(path), text)
        self.assertEqual([f for f in os.listdir(os.path.dirname(path)) if f.startswith(".jsonheal")], [])

    def test_a_healed_file_is_replaced_and_keeps_its_mode(self):
        path = self.file("x.json", BROKEN)
        os.chmod(path, 0o640)
        self.assertEqual(run("-i", path), (0, "", ""))
        self.left_alone(path, HEALED)
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o640)

    def test_a_valid_file_is_not_touched(self):
        path = self.file("x.json", WHOLE)
        before = os.stat(path)
        self.assertEqual(run("-i", path), (0, "", ""))
        after = os.stat(path)
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))

    def test_a_layout_is_a_reason_to_write(self):
        path = self.file("x.json", WHOLE)
        self.assertEqual(run("-i", "--compact", path)[0], 0)
        self.left_alone(path, '{"a":[1,2.50]}')

    def test_a_cut_text_is_only_written_where_that_is_accepted(self):
        path = self.file("x.json", CUT)
        code, out, err = run("-i", path)
        self.assertEqual((code, out), (3, ""))
        self.assertIn("--accept truncated", err)
        self.left_alone(path, CUT)
        self.assertEqual(run("-i", "--accept", "lossy", path)[0], 3)
        self.left_alone(path, CUT)
        self.assertEqual(run("-i", "--accept", "truncated", path)[0], 3)
        self.left_alone(path, CUT_HEALED)

    def test_a_lossy_change_is_only_written_where_that_is_accepted(self):
        path = self.file("x.json", LOSSY)
        code, out, err = run("-i", path)
        self.assertEqual((code, out), (1, ""))
        self.assertIn("--accept lossy", err)
        self.left_alone(path, LOSSY)
        self.assertEqual(run("-i", "--accept", "truncated,lossy", path)[0], 0)
        self.left_alone(path, LOSSY_HEALED)

    def test_a_refused_text_stays(self):
        path = self.file("x.json", HOPELESS)
        self.assertEqual(run("-i", "--accept", "truncated,lossy,misfit", path)[:2], (1, ""))
        self.left_alone(path, HOPELESS)

    def test_a_link_stays_a_link(self):
        path = self.file("x.json", BROKEN)
        link = os.path.join(self.folder, "link")
        os.symlink("x.json", link)
        self.assertEqual(run("-i", link)[0], 0)
        self.assertTrue(os.path.islink(link))
        self.left_alone(path, HEALED)

    def test_one_bad_file_does_not_keep_the_others(self):
        good, bad = self.file("good", BROKEN), self.file("bad", HOPELESS)
        self.assertEqual(run("-i", bad, good)[0], 1)
        self.left_alone(good, HEALED)

    def test_a_write_that_fails_leaves_the_original(self):
        text = "{'a': '" + "x" * 5000 + "'}"
        path = self.file("x.json", text)
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))  # the disk is full after 1000 bytes
        p = subprocess.run([TOOL, "-i", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit)
        self.assertEqual(p.returncode, 2)
        self.assertIn(b"is as it was", p.stderr)
        self.left_alone(path, text)


class Output(CliTest):
    def test_a_new_file_takes_whatever_came_out(self):
        for text, healed, code in ((BROKEN, HEALED, 0), (CUT, CUT_HEALED, 3), (LOSSY, LOSSY_HEALED, 0)):
            path = os.path.join(self.folder, "new")
            self.assertEqual(run("--output", path, text=text)[:2], (code, ""))
            self.assertEqual(self.read(path), healed)
            os.remove(path)

    def test_an_old_file_only_gives_way_to_a_whole_value(self):
        path = self.file("old", "precious")
        self.assertEqual(run("--output", path, text=CUT)[0], 3)
        self.assertEqual(run("--output", path, text=LOSSY)[0], 1)
        self.assertEqual(run("--output", path, text=HOPELESS)[0], 1)
        self.assertEqual(self.read(path), "precious")
        self.assertEqual(run("--output", path, text=BROKEN)[0], 0)
        self.assertEqual(self.read(path), HEALED)

    def test_a_device_is_written_to_and_stays_a_device(self):
        self.assertEqual(run("--output", "/dev/null", text=BROKEN), (0, "", ""))
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        code, out, err = run("--output", "/dev/full", text=BROKEN)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("cannot write /dev/full: No space left on device", err)

    def test_a_missing_folder_is_said(self):
        code, out, err = run("--output", self.folder + "/no/such", text=BROKEN)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("No such file", err)


class StandardOutput(CliTest):
    COMMANDS = (["heal"], ["explain"], ["rules"], ["rules", "--json"], ["--help"], ["--version"], ["--stream"], ["--report", "json"],
                ["batch"])

    def text_for(self, command):
        return b'{"input":"[1]"}\n' if command == ["batch"] else BROKEN.encode()

    def test_a_full_disk_is_said(self):
        for command in self.COMMANDS:
            with open("/dev/full", "wb") as full:
                p = subprocess.run([TOOL, *command], input=self.text_for(command), stdout=full, stderr=subprocess.PIPE)
            self.assertEqual((p.returncode, p.stderr), (2, b"jsonheal: cannot write standard output: No space left on device\n"))

    def test_a_closed_pipe_is_said(self):
        for command in self.COMMANDS:
            reader, writer = os.pipe()
            os.close(reader)
            p = subprocess.run([TOOL, *command], input=self.text_for(command), stdout=writer, stderr=subprocess.PIPE)
            os.close(writer)
            self.assertEqual((p.returncode, p.stderr),
                             (2, b"jsonheal: cannot write standard output: the reader has closed the pipe\n"), command)


if __name__ == "__main__":
    main()
