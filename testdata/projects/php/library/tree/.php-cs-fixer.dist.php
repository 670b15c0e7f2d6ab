<?php
return new PhpCsFixer\Config();
