package io.rpcboot.samples.snippets;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class SnippetsApplication {

}
