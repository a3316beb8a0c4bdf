"""What tests of texture files share."""
from cli_support import CliTest
from pictures import gradient, png


class TextureTest(CliTest):
    """Has a picture, and makes textures of it."""

    def setUp(self):
        super().setUp()
        self.picture = self.write("p.png", png(gradient(37, 21)))

    def encode(self, name, *options):
        self.succeed("encode", self.picture, "-o", self.path(name), *options)
        return self.path(name)
