package io.rpcboot.test.guarded;

import io.rpcboot.spring.security.RpcSecurity;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.authority.AuthorityUtils;

@Configuration(proxyBeanMethods = false)
@EnableMethodSecurity
class OrderRules {

	@Bean
	RpcSecurity rpcSecurity() {
		return RpcSecurity.authorizeCalls((calls) -> {
			calls.services(Orders.class).methods("refund").hasCertificate("backoffice");
			calls.services(Orders.class).authenticated();
		})
			.withAuthorities((caller) -> caller.names().contains("backoffice")
					? AuthorityUtils.createAuthorityList("ROLE_BACKOFFICE") : AuthorityUtils.NO_AUTHORITIES);
	}

}
