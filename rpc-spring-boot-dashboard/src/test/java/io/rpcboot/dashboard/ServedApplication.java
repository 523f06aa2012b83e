package io.rpcboot.dashboard;

import java.util.List;

import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** Calls itself, and has two users: an operator and a guest. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ ServedApplication.DeskService.class, ServedApplication.Caller.class, ServedApplication.ServletUsers.class,
		ServedApplication.ReactiveUsers.class, ServedApplication.PlainPasswords.class })
class ServedApplication {

	private static UserDetails user(String name, String role) {
		return User.withUsername(name).password("secret").roles(role).build();
	}

	/** A contract, one of whose signatures has to be encoded in a path. */
	public interface Desk {

		List<String> sign(String[] names);

	}

	@RpcService
	static class DeskService implements Desk {

		@Override
		public List<String> sign(String[] names) {
			return List.of(names);
		}

	}

	static class Caller {

		@RpcReference
		Desk desk;

	}

	/** Spring's own encoder takes a tenth of a second for each request. */
	static class PlainPasswords implements PasswordEncoder {

		@Override
		public String encode(CharSequence password) {
			return password.toString();
		}

		@Override
		public boolean matches(CharSequence password, String encoded) {
			return encode(password).equals(encoded);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	static class ServletUsers {

		@Bean
		InMemoryUserDetailsManager users() {
			return new InMemoryUserDetailsManager(user("ops", "OPERATOR"), user("guest", "GUEST"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	static class ReactiveUsers {

		@Bean
		MapReactiveUserDetailsService users() {
			return new MapReactiveUserDetailsService(user("ops", "OPERATOR"), user("guest", "GUEST"));
		}

	}

}
